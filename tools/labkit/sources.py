# SPDX-License-Identifier: Apache-2.0
"""The kernel's source from Debian's linux-source packages."""
import contextlib
import gzip
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import places
from .apt import Apt, PrivateApt, available
from .say import LabError, progress


@contextlib.contextmanager
def kernel_source(series, suite, part=None):
    """Unpacks the newest linux-source package of a series (a regular expression) into a folder that exists during the block.

    Yields the version and the folder. With part, only that folder of the source is unpacked.
    """
    if not available():
        raise LabError('the source of the kernel is a Debian package, which cannot be fetched without apt-get')
    apt, package = _find(f'^linux-source-{series}$', suite)
    base = places.cache() / 'source'
    base.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=base))
    try:
        apt.download(package, folder / 'package')
        [archive] = (folder / 'package' / 'usr' / 'src').glob('linux-source-*.tar.*')
        version = package_version(folder / 'package', package)
        progress(f'unpacking {part or archive.name}')
        tree = re.sub(r'\.tar\..*', '', archive.name)
        subprocess.run(['tar', '-xf', archive, '-C', folder, *([f'{tree}/{part}'] if part else [])], check=True)
        yield version, folder / tree
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _find(pattern, suite):
    # The machine's own lists may be outdated, so the download could fail.
    apt = PrivateApt(suite) if suite else Apt()
    names = apt.search(pattern)
    if not names:
        raise LabError(f'no package {pattern} found in the package lists of {suite or "this machine"}')
    return apt, names[-1]


def package_version(folder, package):
    """Returns the latest version in an unpacked package's changelog."""
    for changelog in (folder / 'usr' / 'share' / 'doc' / package).glob('changelog*.gz'):
        with gzip.open(changelog, 'rt', encoding='utf-8', errors='replace') as file:
            match = re.match(r'\S+ \(([^)]+)\)', file.readline())
            if match:
                return match[1].replace('/', '_')
    raise LabError(f'{package}: no version found in its changelog')
