# SPDX-License-Identifier: Apache-2.0
"""valkey-java's own tests, from a checkout of valkey-java: compiled, with the servers that its Makefile starts."""
import re
import shutil

from . import java, junit, packages, places, programs
from .say import LabError, progress

FOLDER = places.REPOSITORY / 'tests' / 'target' / 'valkey-java'
SOCKETS = places.REPOSITORY / 'tests' / 'src' / 'bench' / 'java' / 'valkeyjava'
# Classes of the checkout that need a cluster, a sentinel, TLS, a Unix domain socket or a module of the server, or no server at all.
LEFT_OUT = re.compile(r'''
    (?!providers[.]MultiCluster).*Cluster | .*(Sentinel|SSL|Uds)
    | (mocked|modules|params|examples|benchmark|exceptions|util)[.]
    | .*CommandObjects(Bloom|CountMin|Cuckoo|Json|Search|TDigest|TimeSeries|Topk|Triggers)
    | (Builder|HostAndPort|JedisPubSubBase|JedisShardedPubSubBase|Protocol|Sharding|TupleSortedSet|UnifiedJedisCustomCommands
       |collections[.]SetFromList|misc[.](ResponsesToString|Tuple))Test$''', re.VERBOSE)
SERVER = re.compile(r'^define (VALKEY\w+)\n(.*?)^endef', re.MULTILINE | re.DOTALL)
OTHER_SERVER = re.compile(r'^(sentinel|cluster-enabled|unixsocket) ', re.MULTILINE)


def prepare(checkout):
    """Compiles the checkout, and writes the servers' configurations. Returns the class path of its tests."""
    makefile = checkout / 'Makefile'
    if not makefile.is_file() or not (checkout / 'src' / 'main' / 'java' / 'io' / 'valkey').is_dir():
        raise LabError(f'{checkout} is not a checkout of valkey-java')
    packages.install(packages.missing({'gcc': packages.KERNEL_BUILD['gcc']}) + packages.missing_libraries(('libc6-dev',)))
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / 'servers').mkdir(parents=True)
    for name, text in servers(makefile.read_text()).items():
        (FOLDER / 'servers' / f'{name}.conf').write_text(text)
    progress(f'compiling {checkout}')
    if not java.run_maven(FOLDER / 'maven.log', '-f', str(checkout / 'pom.xml'), 'test-compile', 'dependency:copy-dependencies',
                          f'-DoutputDirectory={FOLDER}/jars'):
        raise LabError(f'cannot compile {checkout}')
    programs.logged(FOLDER / 'gcc.log', "the module of valkey-java's tests does not compile", 'gcc', '-shared', '-fPIC',
                    '-o', FOLDER / 'testmodule.so', checkout / 'src' / 'test' / 'resources' / 'testmodule.c')
    jars = places.REPOSITORY / 'programs' / 'target' / 'dist' / 'lib'  # JUnit
    return java.compile_sources(SOCKETS, FOLDER / 'sockets', checkout / 'target' / 'test-classes', checkout / 'target' / 'classes',
                                FOLDER / 'jars' / '*', jars / '*')


def servers(makefile):
    """Returns the configurations of the servers with neither cluster nor sentinel, by name."""
    return {name: text for name, text in SERVER.findall(makefile) if not OTHER_SERVER.search(text)}


def tests(checkout):
    """Returns the names of the test classes that can run over RDMA."""
    base = checkout / 'target' / 'test-classes'
    names = ('.'.join(file.relative_to(base).with_suffix('').parts) for file in sorted(base.rglob('*Test.class')))
    return [name for name in names if not LEFT_OUT.match(name.removeprefix('io.valkey.'))]


def outcome(results, names):
    """Returns the sum of the reports of some test classes. A class that did not end, and a server that crashed, are failures."""
    sums = junit.Sum()
    for name in names:
        reports = sorted((results / 'junit' / name).glob('TEST-*.xml'))
        part = junit.sum_up(reports)
        sums.passed += part.passed
        sums.skipped += part.skipped
        sums.failures += part.failures if reports else [junit.Failure(name, f'did not end (output: junit/{name}.log)')]
    for log in sorted((results / 'servers').glob('*.log')):
        if 'crashed by signal' in log.read_text(errors='replace'):
            sums.failures.append(junit.Failure(log.name, 'the server crashed'))
    return sums


def comparison(tcp, rdma):
    """Returns the counts and differences of two outcomes as a text, and whether RDMA is worse: something failed over RDMA only, or
    nothing passed over RDMA."""
    lines = [f"{'':<5} {'passed':>7} {'failed':>7} {'skipped':>8}"]
    lines += [f'{name:<5} {sums.passed:7} {len(sums.failures):7} {sums.skipped:8}' for name, sums in (('TCP', tcp), ('RDMA', rdma))]
    worse = _only(rdma, tcp)
    for title, failures in (('failed over RDMA only', worse), ('failed over TCP only', _only(tcp, rdma))):
        if failures:
            lines += ['', f'{title}:', *(f'  {failure}' for failure in failures)]
    return '\n'.join(lines), bool(worse or not rdma.passed)


def _only(sums, others):
    names = {failure.name for failure in others.failures}
    return [failure for failure in sums.failures if failure.name not in names]
