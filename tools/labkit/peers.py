# SPDX-License-Identifier: Apache-2.0
"""Programs that compare verbs4j with other libraries: fetched and compiled for a guest, and the table of their results."""
import csv
import io
import shutil
from statistics import median

from . import java, packages, places, programs, valkey
from .apt import PrivateApt, available
from .say import LabError, progress

FOLDER = places.REPOSITORY / 'tests' / 'target' / 'bench' / 'peers'
SOURCE = places.REPOSITORY / 'tests' / 'src' / 'bench' / 'java'
DISNI = places.REPOSITORY / 'disni' / 'target' / 'peers'
UCX_SUITE = 'bookworm'  # JUCX 1.12 needs its UCX 1.13
LIBDISNI = ('src/verbs/com_ibm_disni_verbs_impl_NativeDispatcher.cpp', 'src/affinity/com_ibm_disni_util_NativeAffinity.c')


def prepare(kind, disni_source):
    """Compiles the programs, and fetches or builds the libraries of a comparison."""
    with programs.locked(places.cache() / 'peers.lock', 'waiting for another lab that is preparing a comparison'):
        _prepare(kind, disni_source)


def _prepare(kind, disni_source):
    FOLDER.mkdir(parents=True, exist_ok=True)
    _fetch_jars()
    java.compile_sources(SOURCE / 'peers', FOLDER / 'classes', *sorted(DISNI.glob('d*.jar')), FOLDER / 'jars' / '*')
    if kind == 'valkey':
        valkey.ensure()
    elif kind == 'disni':
        _link_ucx()
        library = FOLDER / 'libdisni.so'
        library.unlink(missing_ok=True)
        if disni_source:
            _build_libdisni(disni_source, library)
        else:
            progress('without --libdisni FOLDER, DiSNI runs on verbs4j only')


def _fetch_jars():
    jars, pom = FOLDER / 'jars', SOURCE / 'pom.xml'
    if jars.is_dir() and jars.stat().st_mtime > pom.stat().st_mtime:
        return
    shutil.rmtree(jars, ignore_errors=True)
    incoming = jars.with_name('.incoming-jars')
    shutil.rmtree(incoming, ignore_errors=True)
    if not java.run_maven(FOLDER / 'maven.log', '-f', str(pom), 'dependency:copy-dependencies', f'-DoutputDirectory={incoming}'):
        raise LabError(f'cannot fetch the libraries of {places.short(pom)}')
    incoming.rename(jars)


def _link_ucx():
    """Makes ucx/ a link to UCX's libraries in the cache."""
    folder = places.cache() / f'ucx-{UCX_SUITE}'
    if not folder.is_dir():
        if not available():
            raise LabError('UCX is a package of Debian, which cannot be fetched without apt-get')
        incoming = folder.with_name(f'.incoming-{folder.name}')
        shutil.rmtree(incoming, ignore_errors=True)
        PrivateApt(UCX_SUITE).download('libucx0', incoming)
        incoming.rename(folder)
    [library] = folder.glob('usr/lib/*/libucp.so.0')
    places.link(FOLDER / 'ucx', library.parent)


def _build_libdisni(source, library):
    files = [source / 'libdisni' / name for name in LIBDISNI]
    if not all(file.is_file() for file in files):
        raise LabError(f'{source} is not a checkout of DiSNI: it has no {LIBDISNI[0]} in libdisni')
    packages.install(packages.missing({'g++': 'g++'}) + packages.missing_libraries(('libibverbs-dev', 'librdmacm-dev')))
    include = f'{java.home()}/include'
    programs.logged(library.with_suffix('.log'), 'libdisni does not compile', 'gcc', '-O2', '-shared', '-fPIC', f'-I{include}',
                    f'-I{include}/linux', '-o', library, *files, '-lrdmacm', '-libverbs', '-lstdc++')


def table(texts):
    """Returns the table in Markdown of boots, each given as lines "case,program,round,figure".

    The last two columns compare the second program with the first one: the median and the range of the boots' ratios."""
    boots = [_medians(text) for text in texts]
    names = list(dict.fromkeys(program for boot in boots for _, program in boot))
    cases = list(dict.fromkeys(case for boot in boots for case, _ in boot))
    compared = [f'{names[1]} / {names[0]}', 'all boots'] if len(names) > 1 else []
    lines = ['| | ' + ' | '.join(names + compared) + ' |', '| --- |' + ' --- |' * len(names + compared)]
    for case in cases:
        found = [[boot[case, name] for boot in boots if (case, name) in boot] for name in names]
        cells = [_short(median(figures)) if figures else '–' for figures in found]
        if compared:
            ratios = [boot[case, names[1]] / boot[case, names[0]] for boot in boots if (case, names[1]) in boot and boot.get((case, names[0]))]
            cells += [f'{median(ratios):.2f}', f'{min(ratios):.2f} to {max(ratios):.2f}'] if ratios else ['–', '–']
        lines.append(f'| {case} | ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines) + '\n'


def _medians(text):
    """Returns the median over the rounds of one boot for each case and program."""
    rounds = {}
    for case, program, _, figure in csv.reader(io.StringIO(text)):
        rounds.setdefault((case, program), []).append(float(figure))
    return {key: median(figures) for key, figures in rounds.items()}


def _short(figure):
    return f'{figure:,.0f}' if figure >= 1000 else f'{figure:.1f}'
