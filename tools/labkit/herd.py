# SPDX-License-Identifier: Apache-2.0
"""The model checker herd7, fetched into the cache with the C library that it needs; nothing is installed."""
import subprocess

from . import places, programs
from .apt import PrivateApt, available
from .say import LabError

# It came to Debian after the releases that the lab runs on, so it brings its own C library.
PACKAGES = ('herdtools7', 'libc6', 'libgmp10')


class Herd:
    """Answers litmus tests with the memory models that herd7 brings."""

    def __init__(self):
        if programs.find('herd7'):
            self._command = ['herd7']
            return
        root = places.cache() / 'herd7'
        if not (root / 'complete').exists():
            _fetch(root)
        self._command = [root / 'usr/lib64/ld-linux-x86-64.so.2', '--library-path', root / 'usr/lib/x86_64-linux-gnu',
                         root / 'usr/bin/herd7', '-set-libdir', root / 'usr/share/herdtools7/herd']

    def version(self):
        return programs.output(*self._command, '-version').split(',')[0].strip()

    def ask(self, test):
        """Returns what herd7 says about a litmus test: Never, Sometimes or Always, and if the test's claim holds."""
        done = subprocess.run([*self._command, test], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        lines = done.stdout.splitlines()
        observed = [line.split()[2] for line in lines if line.startswith('Observation ')]
        if done.returncode != 0 or len(observed) != 1 or not {'Ok', 'No'} & set(lines):
            raise LabError(f'herd7 does not understand {places.short(test)}: {done.stdout.strip()}')
        return observed[0], 'Ok' in lines


def _fetch(root):
    if not available():
        raise LabError('herd7 is missing here, and there is no apt-get to fetch it by; build it from its source '
                       '(herdtools7) and put it on the PATH')
    root.mkdir(parents=True, exist_ok=True)
    with programs.locked(root / 'lock', 'waiting for another one that fetches herd7'):
        if (root / 'complete').exists():
            return
        apt = PrivateApt('sid')
        for package in PACKAGES:
            apt.download(package, root)
        (root / 'complete').touch()
