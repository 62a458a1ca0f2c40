# SPDX-License-Identifier: Apache-2.0
"""The model checker herd7, fetched into the cache with its C library. Nothing is installed."""
import subprocess

from . import places, programs
from .apt import PrivateApt, available
from .say import LabError

# herd7 is not in the Debian releases that the lab supports, so it needs its own C library.
PACKAGES = ('herdtools7', 'libc6', 'libgmp10')


class Herd:
    """Evaluates litmus tests with the memory models of herd7."""

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
        """Returns herd7's verdict on a litmus test: Never, Sometimes or Always, and whether the test's condition holds."""
        done = subprocess.run([*self._command, test], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        lines = done.stdout.splitlines()
        observed = [line.split()[2] for line in lines if line.startswith('Observation ')]
        if done.returncode != 0 or len(observed) != 1 or not {'Ok', 'No'} & set(lines):
            raise LabError(f'herd7 rejects {places.short(test)}: {done.stdout.strip()}')
        return observed[0], 'Ok' in lines


def _fetch(root):
    if not available():
        raise LabError('herd7 is missing, and cannot be fetched without apt-get; build it from its source '
                       '(herdtools7) and put it on the PATH')
    root.mkdir(parents=True, exist_ok=True)
    with programs.locked(root / 'lock', 'waiting for another lab that is fetching herd7'):
        if (root / 'complete').exists():
            return
        apt = PrivateApt('sid')
        for package in PACKAGES:
            apt.download(package, root)
        (root / 'complete').touch()
