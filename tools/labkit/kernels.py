# SPDX-License-Identifier: Apache-2.0
"""Names of kernels.

A kernel for QEMU is a folder with the layout of an unpacked Debian kernel package: boot/vmlinuz-RELEASE and
lib/modules/RELEASE/. User-mode Linux is one file.
"""
import os
import re
from dataclasses import dataclass
from pathlib import Path

from . import places
from .arch import AMD64, Architecture
from .say import LabError, UsageError

FETCHED = ('6.1', '6.12', 'sid')  # the series that the lab fetches, oldest first
# User-mode Linux: as fast as it gets, built to count the lines that run (gcov), and with the kernel's own checks (KASAN,
# lockdep, kmemleak).
UML, UML_GCOV, UML_DEBUG = UMLS = ('uml', 'uml-gcov', 'uml-debug')
DEFAULT = '6.12'
NAMES_HELP = '6.1, 6.12, sid, uml, uml-gcov, uml-debug, host, or a directory with boot/ and lib/modules/ (default: 6.12)'


@dataclass(frozen=True)
class Kernel:
    name: str  # as the guest sees it in LAB_KERNEL: 6.1, 6.12, sid, uml, host, or a folder's base name
    release: str  # uname -r, e.g. 6.12.117+deb12-amd64
    image: Path  # a bzImage; for user-mode Linux the program
    modules: Path | None  # lib/modules/RELEASE; user-mode Linux has none
    arch: Architecture = AMD64

    @property
    def user_mode(self):
        return self.modules is None

    def find_module(self, name):
        """Returns a module's file, whatever it is compressed with, or None."""
        # A module's file may be named with dashes where the module's name has underscores.
        return self._files().get(name.replace('-', '_'))

    def _files(self):
        files = _module_files.get(self.modules)
        if files is None:
            files = _module_files[self.modules] = module_files(self.modules)
        return files


_module_files = {}


def module_files(modules):
    """Returns the files of all modules below a folder by the modules' names."""
    found = {}
    for folder, _, files in os.walk(modules / 'kernel', followlinks=True):
        for file in files:
            match = re.fullmatch(r'(.+)\.ko(\..*)?', file)
            if match:
                found.setdefault(match[1].replace('-', '_'), Path(folder, file))
    return found


def check_name(name):
    """Refuses a name that can stand for no kernel, before anything is built or fetched."""
    if name not in FETCHED and name not in (*UMLS, 'host') and not Path(name).is_dir():
        raise UsageError(f"unknown kernel '{name}': not one of {' '.join((*FETCHED, *UMLS))}, host, and no directory of that name")


def version_key(path):
    """Sorts names with numbers in them by the numbers."""
    return [int(part) if part.isdigit() else part for part in re.split(r'(\d+)', Path(path).name)]


def cached(name, arch=AMD64):
    """Returns the folders of a series in the cache, oldest first.

    They are complete: fetching renames a folder to its final name as the last step.
    """
    base = places.cache() / 'kernels' / cache_name(name, arch)
    folders = [folder for folder in base.iterdir() if (folder / 'lib' / 'modules').is_dir()] if base.is_dir() else []
    return sorted((folder for folder in folders if not folder.name.startswith('.')), key=version_key)


def cache_name(name, arch):
    return name if arch.native else f'{name}-{arch.name}'


def resolve(name, arch=AMD64):
    """Returns the kernel of a name, and makes it available when the cache has none."""
    check_name(name)
    if not arch.native and name in (*UMLS, 'host'):
        raise UsageError(f'kernel {name} runs on this machine\'s processor only; for {arch.name} use one of: {" ".join(FETCHED)}')
    if name == 'host':
        return _host()
    if name in UMLS:
        from . import umlbuild
        return umlbuild.kernel(name)
    if name in FETCHED:
        folders = cached(name, arch)
        if not folders:
            from . import fetch
            fetch.fetch_kernel(name, arch)
            folders = cached(name, arch)
        return _folder(name, folders[-1], arch)
    folder = Path(name).resolve()
    return _folder(folder.name, folder, arch)


def _folder(name, folder, arch):
    base = folder / 'lib' / 'modules'
    releases = sorted(os.listdir(base)) if base.is_dir() else []
    if len(releases) != 1:
        raise LabError(f'{folder}: lib/modules must hold exactly one kernel release, found {len(releases)}')
    return _checked(name, releases[0], folder / 'boot' / f'vmlinuz-{releases[0]}', base / releases[0], arch)


def _host():
    release = os.uname().release
    # Debian and most others keep the image in /boot; Fedora and its kin keep one beside the modules too.
    images = [Path(path) for path in (f'/boot/vmlinuz-{release}', f'/lib/modules/{release}/vmlinuz', '/boot/vmlinuz-linux')]
    image = next((path for path in images if path.exists()), images[-1])
    return _checked('host', release, image, Path('/lib/modules', release))


def _checked(name, release, image, modules, arch=AMD64):
    kernel = Kernel(re.sub(r'[^A-Za-z0-9._+-]', '_', name), release, image, modules, arch)
    if not modules.is_dir():
        raise LabError(f'kernel {name} ({release}): no modules in {modules}')
    if not kernel.find_module('rdma_rxe'):
        raise LabError(f'kernel {name} ({release}) has no rdma_rxe module in {modules}; use one of: {" ".join(FETCHED)}')
    if not os.access(image, os.R_OK):
        raise LabError(f'kernel {name} ({release}): cannot read its image {image}')
    return kernel
