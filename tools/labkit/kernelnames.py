# SPDX-License-Identifier: Apache-2.0
"""Names and versions of kernels."""
import re
from pathlib import Path

from .say import UsageError

FETCHED = ('6.1', '6.12', 'sid')  # the series that the lab fetches, oldest first
# User-mode Linux in three builds: the fastest one, one that counts executed lines (gcov), and one with the kernel's own checks
# (KASAN, lockdep, kmemleak).
UML, UML_GCOV, UML_DEBUG = UMLS = ('uml', 'uml-gcov', 'uml-debug')
DEFAULT = '6.12'
NAMES_HELP = '6.1, 6.12, sid, uml, uml-gcov, uml-debug, host, or a directory with boot/ and lib/modules/ (default: 6.12)'


def check_name(name):
    """Rejects an invalid kernel name before anything is built or fetched."""
    if name not in FETCHED and name not in (*UMLS, 'host') and not Path(name).is_dir():
        raise UsageError(f"unknown kernel '{name}': not one of {' '.join((*FETCHED, *UMLS))} or host, and not a directory")


def version_key(path):
    """Sorts names by the numbers in them."""
    return [int(part) if part.isdigit() else part for part in re.split(r'(\d+)', Path(path).name)]


def cache_name(name, arch):
    return name if arch.native else f'{name}-{arch.name}'
