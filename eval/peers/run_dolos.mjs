// Dolos on a folder of Python files, as its documentation shows: analyse, then ask for every pair.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Dolos } from "@dodona/dolos-lib";

const folder = process.argv[2];
const files = readdirSync(folder).sort().map(name => join(folder, name));
const dolos = new Dolos({ language: "python" });
const report = await dolos.analyzePaths(files);
let [pairs, highest] = [0, 0];
for (const pair of report.allPairs()) {
  pairs += 1;
  highest = Math.max(highest, pair.similarity);
}
console.log(JSON.stringify({ files: files.length, pairs, highest }));
