# SPDX-License-Identifier: Apache-2.0
"""The names of verbs' numbers, from whichever module the installed pyverbs has them in."""
import enum

try:
    import pyverbs.enums as found

    globals().update(vars(found))
except ModuleNotFoundError:  # newer ones have a class for each set of numbers
    import pyverbs.libibverbs_enums as found

    for kind in vars(found).values():
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            globals().update(kind.__members__)
