"""What goes wrong, by what helps."""


class LookalikeError(Exception):
    """Something could not be done. `path`, `expected` and `found` say what it was about, where that is known."""

    def __init__(self, message, *, path=None, expected=None, found=None):
        super().__init__(message)
        self.path = path
        self.expected = expected
        self.found = found


class WrongOption(LookalikeError, ValueError):
    """A keyword has a value that it cannot have, or does not go with another."""


class WrongInput(LookalikeError, ValueError):
    """The documents cannot be read as they were described."""


class RecipeMismatch(LookalikeError, ValueError):
    """Two things were made by different recipes, or with another key, and are never compared."""


class NotFound(LookalikeError, LookupError):
    """A file, an index or a name in one is not there."""


class AlreadyExists(LookalikeError):
    """Something stands where a new file or folder should go."""


class Locked(LookalikeError):
    """Another process is writing to it. Wait until that has finished, and try again."""


class DamagedFile(LookalikeError):
    """A file of ours is damaged, or a document changed while it was read."""
