# SPDX-License-Identifier: Apache-2.0
"""The root file system of guests with another processor: Debian packages, unpacked once into the cache.

Package scripts do not run, because they are programs of the other processor. This module does the part that the guest needs.
"""
import os
import shutil
import subprocess
import zlib
from pathlib import Path

from . import java, packages, places, programs
from .apt import PrivateApt
from .say import progress

SUITE = 'sid'  # the suite with the JDK
PACKAGES = (
    'base-files', 'base-passwd', 'netbase', 'libc-bin', 'debianutils', 'hostname', 'bash', 'dash', 'coreutils', 'findutils', 'grep', 'sed', 'mawk', 'util-linux', 'mount', 'procps',
    'busybox-static', 'kmod', 'iproute2', 'tcpdump', 'strace', 'bubblewrap',
    'rdma-core', 'ibverbs-utils', 'ibverbs-providers', 'rdmacm-utils', 'perftest', 'python3-pyverbs',
    f'openjdk-{java.VERSION}-jdk-headless',
)


def root(arch):
    """Returns the folder. Creates it if the cache has none."""
    final = places.cache() / 'userland' / f'{arch.name}-{zlib.crc32(Path(__file__).read_bytes()):08x}'
    if not final.is_dir():
        packages.install(packages.missing(packages.FETCH))
        with programs.locked(places.cache() / 'userland.lock', f'waiting for another lab that is fetching programs for {arch.name}'):
            if not final.is_dir():
                _make(arch, final)
    return final


def java_home(arch):
    return f'/usr/lib/jvm/java-{java.VERSION}-openjdk-{arch.name}'


def _make(arch, final):
    incoming = final.with_name(f'.incoming-{arch.name}')
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    archives = PrivateApt(SUITE, arch=arch.name).download_with_dependencies(PACKAGES)
    progress(f'unpacking {len(archives)} packages for {arch.name}')
    # First the package with the links /bin, /lib and /sbin, which all others need.
    for archive in sorted(archives, key=lambda file: not file.name.startswith('base-files_')):
        subprocess.run(['dpkg-deb', '-x', archive, incoming], check=True)
    for name in ('passwd', 'group'):
        shutil.copy(incoming / 'usr' / 'share' / 'base-passwd' / f'{name}.master', incoming / 'etc' / name)
    # The package's script would add the user that it runs as.
    with open(incoming / 'etc' / 'passwd', 'a') as file:
        file.write('tcpdump:x:100:65534::/nonexistent:/usr/sbin/nologin\n')
    (incoming / 'etc' / 'hosts').write_text('127.0.0.1 localhost\n::1 localhost\n')
    awk = incoming / 'usr' / 'bin' / 'awk'
    if not os.path.lexists(awk):
        awk.symlink_to('mawk')
    for folder in ('doc', 'man', 'locale'):
        shutil.rmtree(incoming / 'usr' / 'share' / folder, ignore_errors=True)
    for archive in archives:
        archive.unlink()
    incoming.rename(final)
    progress(f'programs for {arch.name} are in {final}')
