# SPDX-License-Identifier: Apache-2.0
"""The files of rdma-core and of programs linked with it, for guests without rdma-core."""
import glob
import os

from . import programs

PACKAGES = ('libibverbs1', 'ibverbs-providers', 'librdmacm1', 'rdma-core', 'ibverbs-utils', 'rdmacm-utils', 'perftest',
            'python3-pyverbs', 'libibverbs-dev', 'librdmacm-dev')
LIBRARY_FOLDERS = ('/lib/*-linux-gnu', '/usr/lib/*-linux-gnu', '/usr/lib64', '/usr/local/lib')
LIBRARY_NAMES = ('libibverbs*', 'librdmacm*', '*-rdmav*')


def files():
    found = set()
    for package in PACKAGES:
        listing = programs.output('dpkg', '-L', package) or programs.output('rpm', '-ql', package)
        found.update(path for path in listing.splitlines() if not path.startswith('/usr/share/') and _is_file(path))
    # Compiled Python files belong to no package, and a folder that contains them can still be imported.
    for base in glob.glob('/usr/lib/python3*/*-packages/pyverbs'):
        found.update(os.path.join(folder, name) for folder, _, names in os.walk(base) for name in names)
    # Independent of package names, no libibverbs, librdmacm or provider may be left in the linker's path.
    for base in LIBRARY_FOLDERS:
        for name in LIBRARY_NAMES:
            found.update(path for depth in ('', '*/') for path in glob.glob(f'{base}/{depth}{name}') if _is_file(path))
    return sorted(found)


def _is_file(path):
    return os.path.exists(path) and not os.path.isdir(path)


def write_lists(job):
    names = files()
    (job / 'hidden-files').write_text(''.join(f'{name}\n' for name in names))
    # Their folders too, the deepest first. Folders that contain other files are left.
    folders = sorted({os.path.dirname(name) for name in names}, reverse=True)
    (job / 'hidden-folders').write_text(''.join(f'{folder}\n' for folder in folders))
