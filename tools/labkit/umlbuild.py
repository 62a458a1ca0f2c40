# SPDX-License-Identifier: Apache-2.0
"""Builds user-mode Linux from the newest kernel source package of Debian, once, and keeps it in the cache."""
import os
import re
import shutil
import subprocess
import zlib
from pathlib import Path

from . import packages, places, programs
from .kernels import UML, Kernel, version_key
from .say import LabError, progress
from .sources import kernel_source

CONFIG = places.GUEST_FILES / 'uml.config'


def cached():
    """Returns the folders of builds with the present configuration in the cache, oldest first."""
    base = places.cache() / UML
    return sorted((path.parent for path in base.glob(f'*-{config_key()}/linux')), key=version_key)


def config_key():
    return f'{zlib.crc32(CONFIG.read_bytes()):08x}'


def kernel(refresh=False):
    """Returns user-mode Linux, built when the cache has none."""
    if os.uname().machine != 'x86_64':
        raise LabError(f'user-mode Linux is built for x86-64; this machine is {os.uname().machine}')
    if refresh or not cached():
        with programs.locked(places.cache() / 'uml.lock', 'waiting for another lab that builds user-mode Linux') as waited:
            if not cached() or (refresh and not waited):
                _build()
    folder = cached()[-1]
    return Kernel(UML, (folder / 'release').read_text().strip(), folder / 'linux', None)


def _build():
    packages.install(packages.missing(packages.KERNEL_BUILD) + packages.missing_libraries(packages.KERNEL_BUILD_PACKAGES))
    with kernel_source('[0-9][0-9.]*', 'sid') as (version, source):
        final = places.cache() / UML / f'{version}-{config_key()}'
        if final.is_dir():
            progress(f'user-mode Linux {version} is the newest and already here')
            return
        log = places.cache() / UML / 'build.log'
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_bytes(b'')
        progress(f'building user-mode Linux {version} (log: {log}); some five minutes on two processors')

        def make(*targets):
            programs.logged(log, 'user-mode Linux does not build', 'make', '-C', source, 'ARCH=um', *targets)

        make('x86_64_defconfig')
        with open(source / '.config', 'a', encoding='utf-8') as config:
            config.write(CONFIG.read_text())
        make('olddefconfig')
        check_config((source / '.config').read_text())
        _make_with_progress(source, log)
        # Written last under its final name: what is there is complete.
        incoming = final.with_name(f'.incoming-{os.getpid()}')
        shutil.rmtree(incoming, ignore_errors=True)
        incoming.mkdir()
        subprocess.run(['strip', '--strip-debug', '-o', incoming / 'linux', source / 'linux'], check=True)
        shutil.copy(source / '.config', incoming / 'config')
        release = (source / 'include' / 'config' / 'kernel.release').read_text()
        (incoming / 'release').write_text(release)
        incoming.rename(final)
        progress(f'user-mode Linux {release.strip()} is in {final}')


def check_config(config):
    """Refuses a configuration in which what we asked for was dropped, since what it depends on has changed."""
    missing = [line for line in CONFIG.read_text().splitlines()
               if re.match(r'CONFIG_\w+=[^n]', line) and line not in config.splitlines()]
    if missing:
        raise LabError(f'this source does not take these lines of {places.short(CONFIG)}: {" ".join(missing)}')


def _make_with_progress(source, log):
    """Says once in a while how many files are compiled."""
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
        raise LabError(f'user-mode Linux does not build; the last lines of {log}:\n' + programs.last_lines(log, 15))
