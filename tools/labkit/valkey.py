# SPDX-License-Identifier: Apache-2.0
"""Builds valkey-server, its RDMA module and valkey-benchmark from Debian's source, once for each version.

The server rejects a module of another build.
"""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import packages, places, programs
from .apt import PrivateApt, available
from .kernelnames import version_key
from .say import LabError, progress

SUITE = 'sid'  # since 9.0, valkey-benchmark supports RDMA
BUILD = {name: packages.KERNEL_BUILD[name] for name in ('make', 'gcc', 'tar', 'xz')}
LIBRARIES = ('libc6-dev', 'libibverbs-dev', 'librdmacm-dev')
FILES = ('valkey-server', 'valkey-rdma.so', 'valkey-benchmark')
TESTS = 'io.verbs4j.tests.peers.ValkeyServerIT'  # the tests that need the server


def ensure():
    """Makes target/lab/valkey a link to the folder with the programs. Builds them if the cache has none of Debian's newest version."""
    base = places.cache() / 'valkey'
    final = base / _version(base)
    programs.make_once(final, places.cache() / 'valkey.lock', 'waiting for another lab that is building valkey-server',
                       lambda: _build(final))
    link = places.REPOSITORY / 'target' / 'lab' / 'valkey'
    link.parent.mkdir(parents=True, exist_ok=True)
    places.link(link, final)


def _version(base):
    """Returns Debian's newest version; the newest in the cache if Debian's archive cannot be read."""
    try:
        if not available():
            raise LabError("valkey-server is built from Debian's source, which cannot be fetched without apt-get")
        return PrivateApt(SUITE, 'deb-src').source_version('valkey')
    except LabError as error:
        built = sorted((folder.name for folder in base.glob('[0-9]*')), key=version_key)
        if not built:
            raise
        progress(f'valkey-server {built[-1]} is from the cache: {error}')
        return built[-1]


def _build(final):
    packages.install(packages.missing(BUILD) + packages.missing_libraries(LIBRARIES))
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=final.parent) as folder:
        folder = Path(folder)
        PrivateApt(SUITE, 'deb-src').download_source('valkey', folder, '--tar-only')
        [archive] = folder.glob('valkey_*.orig.tar.*')
        subprocess.run(['tar', '-xf', archive, '-C', folder], check=True)
        [source] = [path for path in folder.glob('valkey*') if path.is_dir()]
        log = places.cache() / 'valkey-build.log'
        log.write_bytes(b'')
        progress(f'building valkey-server {final.name}, its RDMA module and valkey-benchmark (log: {log})')
        programs.logged(log, 'the build of valkey-server failed', 'make', f'-j{len(os.sched_getaffinity(0))}', 'BUILD_RDMA=module',
                        'MALLOC=libc', cwd=source)
        built = folder / 'built'
        built.mkdir()
        for name in FILES:
            shutil.copy(source / 'src' / name, built)
        built.rename(final)
