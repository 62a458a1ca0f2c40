# SPDX-License-Identifier: Apache-2.0
"""Builds user-mode Linux from Debian's newest kernel source package, once, and keeps it in the cache."""
import os
import re
import shutil
import subprocess
import zlib

from . import packages, places, programs
from .kernelnames import UML, UML_GCOV, version_key
from .kerneltree import Kernel
from .say import LabError, progress
from .sources import kernel_source

# The part of the configuration that lets tests make kernel allocations fail.
UML_FAULTS = 'uml-faults'
# The parts of the kernel whose lines are counted.
COUNTED = ('drivers/infiniband/sw/rxe', 'drivers/infiniband/core')


def config_files(name):
    """Returns the configuration of a build: the common part; faults, for builds that search for defects; and its own part."""
    parts = [UML] if name == UML else [UML, UML_FAULTS, name]
    return [places.GUEST_FILES / f'{part}.config' for part in parts]


def cached(name=UML):
    """Returns the cached folders of builds with the current configuration, oldest first."""
    base = places.cache() / UML
    return sorted((path.parent for path in base.glob(f'*-{config_key(name)}/linux')), key=version_key)


def config_key(name=UML):
    return f'{zlib.crc32(_config(name).encode()):08x}'


def _config(name):
    return ''.join(file.read_text() for file in config_files(name))


def kernel(name=UML, refresh=False):
    """Returns user-mode Linux. Builds it if the cache has none."""
    if os.uname().machine != 'x86_64':
        raise LabError(f'user-mode Linux is built for x86-64; this machine is {os.uname().machine}')
    if refresh or not cached(name):
        with programs.locked(places.cache() / 'uml.lock', 'waiting for another lab that is building user-mode Linux') as waited:
            if not cached(name) or (refresh and not waited):
                _build(name)
    folder = cached(name)[-1]
    return Kernel(name, (folder / 'release').read_text().strip(), folder / 'linux', None)


def _build(name):
    packages.install(packages.missing(packages.KERNEL_BUILD) + packages.missing_libraries(packages.KERNEL_BUILD_PACKAGES))
    with kernel_source('[0-9][0-9.]*', 'sid') as (version, source):
        final = places.cache() / UML / f'{version}-{config_key(name)}'
        if final.is_dir():
            progress(f'user-mode Linux {version} is the newest and already here')
            return
        log = places.cache() / UML / 'build.log'
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_bytes(b'')
        progress(f'building {name} {version} (log: {log}); takes five to eight minutes on two processors')

        def make(*targets):
            programs.logged(log, 'the build of user-mode Linux failed', 'make', '-C', source, 'ARCH=um', *targets)

        if name == UML_GCOV:
            _count(source)
        make('x86_64_defconfig')
        with open(source / '.config', 'a', encoding='utf-8') as config:
            config.write(_config(name))
        make('olddefconfig')
        check_config((source / '.config').read_text(), _config(name))
        _make_with_progress(source, log)
        # Renamed to its final name last, so an existing file is complete.
        incoming = final.with_name(f'.incoming-{os.getpid()}')
        shutil.rmtree(incoming, ignore_errors=True)
        incoming.mkdir()
        subprocess.run(['strip', '--strip-debug', '-o', incoming / 'linux', source / 'linux'], check=True)
        shutil.copy(source / '.config', incoming / 'config')
        release = (source / 'include' / 'config' / 'kernel.release').read_text()
        (incoming / 'release').write_text(release)
        if name == UML_GCOV:
            _keep_notes(source, incoming / 'source')
        incoming.rename(final)
        progress(f'user-mode Linux {release.strip()} is in {final}')


def _count(source):
    """Makes the compiler count the lines of the measured parts. Counting the whole kernel would slow it down."""
    for part in COUNTED:
        makefile = source / part / 'Makefile'
        makefile.write_text('GCOV_PROFILE := y\n' + makefile.read_text())


def _keep_notes(source, target):
    """Keeps the files that gcov needs for interpreting the counts: the compiler's notes and the source."""
    for part in COUNTED:
        (target / part).mkdir(parents=True)
        for file in (source / part).iterdir():
            if file.suffix in ('.gcno', '.c', '.h'):
                shutil.copy(file, target / part)


def check_config(config, asked):
    """Rejects a configuration from which requested lines were dropped because their dependencies have changed."""
    missing = [line for line in asked.splitlines()
               if re.match(r'CONFIG_\w+=[^n]', line) and line not in config.splitlines()]
    if missing:
        raise LabError(f'this source does not accept these lines of its configuration: {" ".join(missing)}')


def _make_with_progress(source, log):
    """Periodically reports the number of compiled files."""
    compiled = 0
    command = ['make', '-C', source, 'ARCH=um', f'-j{len(os.sched_getaffinity(0))}', 'linux']
    with open(log, 'ab') as file, subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                                   stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            file.write(line)
            if line.startswith(b'  CC '):
                compiled += 1
                if compiled % 250 == 0:
                    progress(f'  {compiled} files compiled')
    if process.returncode != 0:
        raise LabError(f'the build of user-mode Linux failed; the last lines of {log}:\n' + programs.last_lines(log, 15))
