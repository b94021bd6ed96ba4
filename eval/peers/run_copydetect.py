"""copydetect on a folder of Python files, as its documentation shows. No HTML, only the comparison."""

import sys

from copydetect import CopyDetector

detector = CopyDetector(test_dirs=[sys.argv[1]], extensions=["py"], autoopen=False, silent=True)
detector.run()
print(len(detector.get_copied_code_list()))
