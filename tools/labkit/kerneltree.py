# SPDX-License-Identifier: Apache-2.0
"""A kernel on disk.

A kernel for QEMU is a folder with the layout of an unpacked Debian kernel package: boot/vmlinuz-RELEASE and
lib/modules/RELEASE/. User-mode Linux is one file.
"""
import os
import re
from dataclasses import dataclass
from pathlib import Path

from . import places
from .arch import AMD64, Architecture
from .kernelnames import cache_name, version_key


@dataclass(frozen=True)
class Kernel:
    name: str  # its name in LAB_KERNEL: 6.1, 6.12, sid, uml, host, or a folder's base name
    release: str  # uname -r, e.g. 6.12.117+deb12-amd64
    image: Path  # a bzImage; for user-mode Linux, the program
    modules: Path | None  # lib/modules/RELEASE; user-mode Linux has none
    arch: Architecture = AMD64

    @property
    def user_mode(self):
        return self.modules is None

    def find_module(self, name):
        """Returns a module's file with any compression, or None."""
        # A module's file name may have dashes in place of the underscores in the module's name.
        return self._files().get(name.replace('-', '_'))

    def _files(self):
        files = _module_files.get(self.modules)
        if files is None:
            files = _module_files[self.modules] = module_files(self.modules)
        return files


_module_files = {}


def module_files(modules):
    """Returns the files of all modules below a folder, by the modules' names."""
    found = {}
    for folder, _, files in os.walk(modules / 'kernel', followlinks=True):
        for file in files:
            match = re.fullmatch(r'(.+)\.ko(\..*)?', file)
            if match:
                found.setdefault(match[1].replace('-', '_'), Path(folder, file))
    return found


def cached(name, arch=AMD64):
    """Returns the cached folders of a series, oldest first.

    They are complete, because fetching renames a folder to its final name as the last step.
    """
    base = places.cache() / 'kernels' / cache_name(name, arch)
    folders = [folder for folder in base.iterdir() if (folder / 'lib' / 'modules').is_dir()] if base.is_dir() else []
    return sorted((folder for folder in folders if not folder.name.startswith('.')), key=version_key)
