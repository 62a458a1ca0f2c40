# SPDX-License-Identifier: Apache-2.0
"""The programs that the lab needs, and their Debian packages."""
import os
import subprocess
from pathlib import Path

from . import java, places, programs
from .say import LabError, progress

# CORE boots a guest. PEERS are programs that tests and users run in it. FETCH unpacks Debian kernels.
CORE = {
    'qemu-system-x86_64': 'qemu-system-x86', 'busybox': 'busybox-static', 'modinfo': 'kmod', 'xz': 'xz-utils',
    'zstd': 'zstd', 'ip': 'iproute2', 'rdma': 'iproute2',
}
PEERS = {
    'tcpdump': 'tcpdump', 'strace': 'strace', 'tc': 'iproute2', 'ibv_rc_pingpong': 'ibverbs-utils',
    'ib_send_lat': 'perftest', 'ucmatose': 'rdmacm-utils', 'rdma_rename': 'rdma-core',
    'bwrap': 'bubblewrap',
}
# Reads captures, for the comparison with our commands.
DISSECTION = {'tshark': 'tshark'}
FETCH = {'apt-get': 'apt', 'dpkg-deb': 'dpkg', 'depmod': 'kmod'}
# Packages for building a kernel or one of its modules from source.
KERNEL_BUILD = {'make': 'make', 'gcc': 'gcc', 'flex': 'flex', 'bison': 'bison', 'bc': 'bc', 'tar': 'tar', 'xz': 'xz-utils'}
KERNEL_BUILD_PACKAGES = ('libc6-dev', 'libelf-dev')
# For the comparison of the kernel's structs with those of another processor.
CROSS_BUILD = {'aarch64-linux-gnu-gcc': 'gcc-aarch64-linux-gnu', 'qemu-aarch64-static': 'qemu-user-static', 'gcc': 'gcc'}
CROSS_BUILD_PACKAGES = ('libc6-dev', 'libc6-dev-arm64-cross')
# Libraries of the peers that cannot be derived from a program's name.
# libibverbs-dev contains the headers for compiling the tests that compare with libmlx5.
PEER_PACKAGES = ('ibverbs-providers', 'python3-pyverbs', 'libibverbs-dev')


def have(program):
    # rdma-core's helpers are not on the PATH
    return bool(programs.find(program)) or any(
        os.access(f'{folder}/{program}', os.X_OK) for folder in ('/usr/lib/udev', '/lib/udev'))


def static_busybox():
    """Returns whether busybox is statically linked, so that it runs without libraries."""
    path = programs.find('busybox')
    if not path:
        return False
    # A static executable has no PT_INTERP, whose path would be near the file's start.
    with open(path, 'rb') as file:
        return b'ld-linux' not in file.read(4096)


def missing(table):
    """Returns the packages of missing programs in a table, each once."""
    return unique(package for program, package in table.items()
                  if not (static_busybox() if program == 'busybox' else have(program)))


def unique(names):
    return list(dict.fromkeys(names))


def installed(packages):
    """Returns those packages that dpkg has installed."""
    lines = subprocess.run(['dpkg-query', '-W', '-f', '${Package}=${db:Status-Status}\n', *packages], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return [line.split('=')[0] for line in lines.splitlines() if line.endswith('=installed')]


def missing_libraries(packages):
    # dpkg reports installed libraries. Without dpkg, they are assumed to be installed.
    if not programs.find('dpkg-query'):
        return []
    here = installed(packages)
    return [package for package in packages if package not in here]


def missing_peers():
    return missing(PEERS) + missing_libraries(PEER_PACKAGES)


def build():
    """Returns the program that the build needs. Without mvn, the repository's mvnw downloads Maven as a zip file."""
    return {'mvn': 'maven'} if have('mvn') else {'unzip': 'unzip'}


def missing_compilers():
    """Returns the missing packages that only commands that compile C need."""
    return unique(missing(CROSS_BUILD | KERNEL_BUILD) + missing_libraries(unique(CROSS_BUILD_PACKAGES + KERNEL_BUILD_PACKAGES)))


def install(packages):
    """Installs packages as root, or prints the command that installs them."""
    packages = unique(packages)
    if not packages:
        return
    names = ' '.join(packages)
    if not programs.find('apt-get'):
        raise LabError(f"missing programs; they are in Debian's packages {names}. "
                       'Install the packages with the same programs for this distribution')
    if os.geteuid() != 0:
        raise LabError('missing packages; run this command, then try again:\n'
                       f'    sudo apt-get install --no-install-recommends {names}')
    progress(f'installing {names}')
    log = places.scratch() / 'apt.log'
    environment = dict(os.environ, DEBIAN_FRONTEND='noninteractive')
    command = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', *packages]
    try:
        programs.logged(log, 'apt-get install failed', *command, env=environment)
    except LabError:
        # The package lists may be missing (new container) or outdated.
        programs.logged(log, 'apt-get update failed', 'apt-get', 'update', '-qq', env=environment)
        programs.logged(log, f'apt-get install {names} failed', *command, env=environment)


def ensure():
    """Ensures the programs for booting a guest. As root, installs the peers, too; other users are not asked for them."""
    install(missing(CORE) + (missing_peers() if os.geteuid() == 0 else []))


def ensure_postgres():
    """Ensures the programs of PostgreSQL, which Debian keeps in folders of their versions."""
    if not any(Path('/usr/lib/postgresql').glob('*/bin/postgres')):
        install(['postgresql'])


def ensure_with_jdk():
    """Ensures the programs for building, and for running the build."""
    wanted = missing(CORE | build()) + missing_peers()
    jdk = f'openjdk-{java.VERSION}-jdk-headless'
    if not java.home() and programs.output('apt-cache', 'show', jdk):
        wanted.append(jdk)
    install(wanted)
    if not java.home():
        raise LabError(java.explain_missing())
