# SPDX-License-Identifier: Apache-2.0
"""Fetches Debian kernel packages into the cache. Nothing is installed: a package is downloaded and unpacked."""
import os
import re
import shutil
import subprocess

from . import packages, places, programs
from .apt import Apt, PrivateApt, available
from .arch import AMD64
from .kernelnames import cache_name
from .kerneltree import cached
from .say import LabError, progress

# The version in the package name has different forms: 6.1.0-56-amd64, 6.12.117+deb12-amd64, 7.2.13+deb14-amd64.
SERIES = {'6.1': (r'6\.1\.[0-9]', 'bookworm'), '6.12': (r'6\.12\.[0-9]', 'trixie'), 'sid': ('[0-9]', 'sid')}


def fetch_kernel(name, arch=AMD64, refresh=False):
    """Fetches the newest kernel of a series. Concurrent labs wait for each other."""
    if os.uname().machine != 'x86_64':
        raise LabError(f'the lab runs on x86-64 machines; this one is {os.uname().machine}')
    if not available():
        raise LabError(f'kernel {name} is a Debian package, which cannot be fetched without apt-get; use --kernel host or --kernel DIR')
    packages.install(packages.missing(packages.FETCH))
    with programs.locked(places.cache() / 'lock', 'waiting for another lab that is fetching') as waited:
        # The other lab may have fetched the same kernel.
        if waited and not refresh and cached(name, arch):
            return
        # Removes the rest of an interrupted fetch. It is unused, because this lab holds the lock.
        for left in (places.cache() / 'kernels').glob('*/.incoming*'):
            shutil.rmtree(left)
        progress(f'fetching kernel {name}: looking up its package')
        _fetch_newest(name, arch)


def _fetch_newest(name, arch, own=True):
    # Old versions are removed from the archive, so a fixed name would become invalid.
    apt, package = find_package(name, arch, own)
    release = re.sub(r'^linux-(binary|image)-', '', package)
    final = places.cache() / 'kernels' / cache_name(name, arch) / release
    if final.is_dir():
        progress(f'kernel {name}: {release} is the newest and already here')
        return
    incoming = final.parent / '.incoming'
    try:
        apt.download(package, incoming)
        # Newer packaging separates the image from its modules.
        if package.startswith('linux-binary-'):
            apt.download(f'linux-modules-{release}', incoming)
    except LabError as e:
        if isinstance(apt, PrivateApt):
            raise
        progress(f"{e}\nThis machine's package lists may be outdated. Reading Debian's current ones")
        shutil.rmtree(incoming, ignore_errors=True)
        _fetch_newest(name, arch, own=False)
        return
    arrange_tree(incoming, release)
    incoming.rename(final)
    progress(f'kernel {name} is {release}')


def find_package(name, arch=AMD64, own=True):
    """Returns the location and the name of the newest kernel package of a series.

    Looks in the machine's own package lists first, then in separate ones for the suite of the series, which need no root and are
    always current.
    """
    version, suite = SERIES[name]
    if own and suite != 'sid' and arch.native:
        apt = Apt()
        package = newest_package(apt, version, arch)
        if package:
            return apt, package
    apt = PrivateApt(suite, arch=arch.name)
    package = newest_package(apt, version, arch)
    if not package:
        raise LabError(f"no package of kernel {name} found (looked in this machine's package lists and in Debian's {suite})")
    return apt, package


def newest_package(apt, version, arch=AMD64):
    # Newer packaging has the image in linux-binary-* and its modules in linux-modules-*, and linux-image-* only depends on them.
    # In older packaging linux-image-* contains everything.
    for kind in ('linux-binary', 'linux-image'):
        # Only the generic image is usable: the cloud image lacks InfiniBand, rt is a different kernel, dbg has no image.
        names = [name for name in apt.search(f'^{kind}-{version}[^ ]*-{arch.name}$')
                 if not re.search(r'-(rt|cloud|dbg)-|-dbg$|unsigned', name)]
        if names:
            return names[-1]
    return None


def arrange_tree(tree, release):
    """Converts all packagings to one layout, and creates modules.dep, which packages leave to their postinst script."""
    if not (tree / 'lib' / 'modules').is_dir() and (tree / 'usr' / 'lib' / 'modules').is_dir():
        (tree / 'lib').mkdir(exist_ok=True)
        (tree / 'lib' / 'modules').symlink_to('../usr/lib/modules')
    image = tree / 'boot' / f'vmlinuz-{release}'
    if not image.exists():
        image.parent.mkdir(exist_ok=True)
        shutil.copy(tree / 'lib' / 'modules' / release / 'vmlinuz', image)
    shutil.rmtree(tree / 'usr' / 'share', ignore_errors=True)
    # A failure would mean a broken package. Warnings about a missing modules.order are irrelevant.
    if subprocess.run(['depmod', '-b', tree, release], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise LabError(f'depmod cannot read the modules of {release}')
