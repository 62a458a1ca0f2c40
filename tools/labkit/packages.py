# SPDX-License-Identifier: Apache-2.0
"""The programs that the lab needs, and the Debian packages that bring them."""
import os
import subprocess

from . import java, places, programs
from .say import LabError, progress

# CORE boots a guest; PEERS are what tests and users run in it; BUILD makes the jars; FETCH unpacks Debian kernels.
CORE = {
    'qemu-system-x86_64': 'qemu-system-x86', 'busybox': 'busybox-static', 'modinfo': 'kmod', 'xz': 'xz-utils',
    'zstd': 'zstd', 'ip': 'iproute2', 'rdma': 'iproute2',
}
PEERS = {
    'tcpdump': 'tcpdump', 'strace': 'strace', 'tc': 'iproute2', 'ibv_rc_pingpong': 'ibverbs-utils',
    'ib_send_lat': 'perftest', 'ucmatose': 'rdmacm-utils', 'rdma_rename': 'rdma-core',
    'bwrap': 'bubblewrap',
}
BUILD = {'mvn': 'maven'}
# Reads captures as our commands do.
DISSECTION = {'tshark': 'tshark'}
FETCH = {'apt-get': 'apt', 'dpkg-deb': 'dpkg', 'depmod': 'kmod'}
# Packages that build a kernel or one of its modules from source.
KERNEL_BUILD = {'make': 'make', 'gcc': 'gcc', 'flex': 'flex', 'bison': 'bison', 'bc': 'bc', 'tar': 'tar', 'xz': 'xz-utils'}
KERNEL_BUILD_PACKAGES = ('libc6-dev', 'libelf-dev')
# For the comparison of the kernel's structs with those of another processor.
CROSS_BUILD = {'aarch64-linux-gnu-gcc': 'gcc-aarch64-linux-gnu', 'qemu-aarch64-static': 'qemu-user-static', 'gcc': 'gcc'}
CROSS_BUILD_PACKAGES = ('libc6-dev', 'libc6-dev-arm64-cross')
# Libraries of the peers that no program's name gives away.
# libibverbs-dev has the headers that tests beside libmlx5 are compiled with.
PEER_PACKAGES = ('ibverbs-providers', 'python3-pyverbs', 'libibverbs-dev')


def have(program):
    # rdma-core's helpers are not on the PATH.
    return bool(programs.find(program)) or any(
        os.access(f'{folder}/{program}', os.X_OK) for folder in ('/usr/lib/udev', '/lib/udev'))


def static_busybox():
    """Returns whether busybox is the static one: it runs where there are no libraries."""
    path = programs.find('busybox')
    if not path:
        return False
    # A static executable has no PT_INTERP; its path would stand near the file's start.
    with open(path, 'rb') as file:
        return b'ld-linux' not in file.read(4096)


def missing(table):
    """Returns the packages of those programs of a table that are not here, each once."""
    return unique(package for program, package in table.items()
                  if not (static_busybox() if program == 'busybox' else have(program)))


def unique(names):
    return list(dict.fromkeys(names))


def installed(packages):
    """Returns those of some packages that dpkg has installed."""
    lines = subprocess.run(['dpkg-query', '-W', '-f', '${Package}=${db:Status-Status}\n', *packages], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return [line.split('=')[0] for line in lines.splitlines() if line.endswith('=installed')]


def missing_libraries(packages):
    # Libraries are asked of dpkg, where there is one; elsewhere they are taken as given.
    if not programs.find('dpkg-query'):
        return []
    here = installed(packages)
    return [package for package in packages if package not in here]


def missing_peers():
    return missing(PEERS) + missing_libraries(PEER_PACKAGES)


def install(packages):
    """Installs packages as root, or names the line that does."""
    packages = unique(packages)
    if not packages:
        return
    names = ' '.join(packages)
    if not programs.find('apt-get'):
        raise LabError(f"missing here; Debian's packages of it are: {names}. "
                       'Install what brings the same programs on this distribution')
    if os.geteuid() != 0:
        raise LabError('missing packages; run this once, then try again:\n'
                       f'    sudo apt-get install --no-install-recommends {names}')
    progress(f'installing {names}')
    log = places.scratch() / 'apt.log'
    environment = dict(os.environ, DEBIAN_FRONTEND='noninteractive')
    command = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', *packages]
    try:
        programs.logged(log, 'apt-get install failed', *command, env=environment)
    except LabError:
        # The package lists may be missing (fresh container) or outdated.
        programs.logged(log, 'apt-get update failed', 'apt-get', 'update', '-qq', env=environment)
        programs.logged(log, f'apt-get install {names} failed', *command, env=environment)


def ensure():
    """Makes sure of what boots a guest. Root gets the peers in the same go; an ordinary user is not asked for them."""
    install(missing(CORE) + (missing_peers() if os.geteuid() == 0 else []))


def ensure_with_jdk():
    """Makes sure of all that building takes, and running what was built."""
    wanted = missing(CORE)
    if not os.access(places.REPOSITORY / 'mvnw', os.X_OK):
        wanted += missing(BUILD)
    wanted += missing_peers()
    jdk = f'openjdk-{java.VERSION}-jdk-headless'
    if not java.home() and programs.output('apt-cache', 'show', jdk):
        wanted.append(jdk)
    install(wanted)
    if not java.home():
        raise LabError(java.explain_missing())
