# SPDX-License-Identifier: Apache-2.0
"""Builds siw (software iWARP), which Debian's kernels lack, as a module, once for each kernel.

The source comes from the distribution's linux-source package, everything else from the headers packages of the same
kernel. Nothing is installed. The kernel's build programs belong to the kernel's suite, which may be newer than this
machine's, so they run with that suite's libraries.
"""
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import fetch, packages, places, programs
from .apt import Apt, PrivateApt, available
from .kernelnames import FETCHED
from .say import LabError, progress
from .sources import kernel_source

# Libraries of its build programs, in addition to the dependencies of linux-kbuild-*.
MORE_LIBRARIES = ('zlib1g', 'libzstd1')
FOLDER = 'drivers/infiniband/sw/siw'


def module(kernel):
    """Returns the file of the module for a kernel. Builds it if the cache has none."""
    final = places.cache() / 'siw' / kernel.release / 'siw.ko'
    programs.make_once(final, places.cache() / 'siw.lock', 'waiting for another lab that is building siw', lambda: _build(kernel, final))
    return final


def _build(kernel, final):
    if not available():
        raise LabError('siw is built from Debian packages, which cannot be fetched without apt-get')
    packages.install(packages.missing({name: packages.KERNEL_BUILD[name] for name in ('make', 'gcc', 'tar', 'xz')}))
    headers = f'linux-headers-{kernel.release}'
    apt, suite = _find(kernel, headers)
    final.parent.mkdir(parents=True, exist_ok=True)
    log = final.parent / 'build.log'
    log.write_bytes(b'')
    with tempfile.TemporaryDirectory(dir=places.cache()) as folder:
        tree = Path(folder) / 'headers'
        depends = apt.depends(headers)
        for package in (headers, *re.findall(r'linux-headers-\S+-common', depends), *re.findall(r'linux-kbuild-[^\s,]+', depends)):
            apt.download(package, tree)
        [kbuild] = (tree / 'usr' / 'lib').glob('linux-kbuild-*')
        libraries = Path(folder) / 'libraries'
        for package in packages.unique([*re.findall(r'\blib[a-z0-9.+-]+', apt.depends(kbuild.name)), *MORE_LIBRARIES]):
            apt.download(package, libraries)
        use_libraries(kbuild, libraries)
        build = prepare_headers(tree, headers)
        series = '.'.join(kernel.release.split('.')[:2])
        with kernel_source(re.escape(series), suite, FOLDER) as (_, source):
            progress(f'building siw for {kernel.release} (log: {log})')
            make(build, source / FOLDER, log)
            new = final.with_name(f'siw.ko.{os.getpid()}')
            shutil.copy(source / FOLDER / 'siw.ko', new)
            new.rename(final)


def _find(kernel, headers):
    """Returns the location of a kernel's headers, and the suite of its source."""
    suite = fetch.SERIES[kernel.name][1] if kernel.name in FETCHED else None
    pattern = f'^{re.escape(headers)}$'
    apt = Apt()
    if apt.search(pattern):
        return apt, suite
    if suite:
        apt = PrivateApt(suite)
        if apt.search(pattern):
            return apt, suite
    raise LabError(f'no such package: {headers}' + (
        f', because a newer kernel is available; run tools/lab fetch --refresh {kernel.name}' if suite else ''))


def prepare_headers(tree, name):
    """Makes unpacked headers refer to their common part, and returns their folder."""
    folder = tree / 'usr' / 'src' / name
    makefile = folder / 'Makefile'
    makefile.write_text(re.sub(r'(?<!\S)/usr/|(?<==)/usr/', f'{tree}/usr/', makefile.read_text()))
    # Otherwise the build would need pahole to describe the module's types, which are not needed.
    (folder / 'vmlinux').unlink(missing_ok=True)
    return folder


def use_libraries(kbuild, libraries):
    """Makes the kernel's build programs run with these libraries instead of the machine's."""
    # Links to it may lead to the machine's own.
    [loader] = [path for path in libraries.rglob('ld-linux-x86-64.so.2') if not path.is_symlink()] or \
               [path for path in libraries.rglob('ld-2.*.so') if not path.is_symlink()]
    folders = sorted({str(path.parent) for path in libraries.rglob('*.so.*')})
    for program in [path for path in kbuild.rglob('*') if path.is_file() and os.access(path, os.X_OK) and is_elf(path)]:
        # Some select another program in the same folder by the kind of object file.
        real = next((path for kind in ('lsb-64', 'x86') if (path := Path(f'{program}.real-{kind}')).exists()), None)
        if not real:
            real = program.rename(f'{program}.elf') if '.real-' not in program.name else None
        if real:
            program.unlink(missing_ok=True)
            program.write_text(f'#!/bin/sh\nexec {loader} --library-path {":".join(folders)} {real} "$@"\n')
            program.chmod(0o755)


def is_elf(path):
    with open(path, 'rb') as file:
        return file.read(4) == b'\x7fELF'


def make(build, source, log):
    """Builds the module, without options that this machine's compiler does not support."""
    compiler = source / 'compiler'
    unknown = []
    for _ in range(5):
        write_compiler(compiler, unknown)
        try:
            programs.logged(log, 'the build of siw failed', 'make', '-C', build, f'M={source}', f'CC={compiler}',
                            'CONFIG_RDMA_SIW=m', 'modules')
            return
        except LabError:
            found = unknown_options(log.read_text(errors='replace'))
            if set(found) <= set(unknown):
                raise
            unknown = found
            subprocess.run(['find', source, '-name', '*.o', '-delete'], check=True)


def unknown_options(log):
    return packages.unique(re.findall(r'unrecognized command[- ]line option .(-[^\s’\']+)', log))


def write_compiler(path, unknown):
    """Writes a program that calls gcc without some options."""
    cases = ''.join(f"        '{option}') ;;\n" for option in unknown if not option.startswith('-fmin-function-alignment'))
    path.write_text(f'''#!/bin/sh
for word; do
    shift
    case $word in
{cases}        # The same for us, by its older name.
        -fmin-function-alignment=*) set -- "$@" "-falign-functions=${{word#*=}}" ;;
        *) set -- "$@" "$word" ;;
    esac
done
exec gcc "$@"
''')
    path.chmod(0o755)
