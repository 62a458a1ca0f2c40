# SPDX-License-Identifier: Apache-2.0
"""Finds the kernel with a name, and makes it available: fetched, built, this machine's, or a folder's."""
import os
import re
from pathlib import Path

from . import fetch, umlbuild
from .arch import AMD64
from .kernelnames import FETCHED, UMLS, check_name
from .kerneltree import Kernel, cached
from .say import LabError, UsageError


def resolve(name, arch=AMD64):
    """Returns the kernel with a name. Fetches or builds it if the cache has none."""
    check_name(name)
    if not arch.native and name in (*UMLS, 'host'):
        raise UsageError(f'kernel {name} runs on this machine\'s processor only; for {arch.name} use one of: {" ".join(FETCHED)}')
    if name == 'host':
        return _host()
    if name in UMLS:
        return umlbuild.kernel(name)
    if name in FETCHED:
        folders = cached(name, arch)
        if not folders:
            fetch.fetch_kernel(name, arch)
            folders = cached(name, arch)
        return _folder(name, folders[-1], arch)
    folder = Path(name).resolve()
    return _folder(folder.name, folder, arch)


def _folder(name, folder, arch):
    base = folder / 'lib' / 'modules'
    releases = sorted(os.listdir(base)) if base.is_dir() else []
    if len(releases) != 1:
        raise LabError(f'{folder}: lib/modules must contain exactly one kernel release, found {len(releases)}')
    return _checked(name, releases[0], folder / 'boot' / f'vmlinuz-{releases[0]}', base / releases[0], arch)


def _host():
    release = os.uname().release
    # Debian and most others keep the image in /boot. Fedora and its derivatives keep one next to the modules, too.
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
