# SPDX-License-Identifier: Apache-2.0
"""tools/lab programs: unchanged programs of other projects, and tests of the JDK, over RDMA in guests."""
import shlex

from .. import guest, java, jdktests, kernelnames, packages, pair, places, valkey
from ..options import Options
from ..say import UsageError, progress
from ..summary import Summary

JDK, DATABASES, CLUSTER = 'jdk', 'databases', 'kafkacluster'
SCRIPT = places.GUEST_FILES / 'guest-programs'
TESTS = places.REPOSITORY / 'programs' / 'src' / 'test' / 'java' / 'io' / 'verbs4j' / 'programs'


def tests():
    """Returns the test class of each program, by the program's name."""
    names = sorted(file.stem for file in TESTS.glob('*Test.java'))
    return {name.removesuffix('Test').lower(): name for name in names}


HELP = f'''Usage: tools/lab programs [OPTION]… [PROGRAM]…

Runs unchanged programs of other projects (module programs) in one guest, each in a JVM with the agent of verbs4j. A program
passes if its own results are right and all its connections were RDMA. Fetches the programs from Maven Central.

The program {JDK} is the JDK's own tests of sockets, which run in another guest, each in a JVM with the agent. Fetches the tests
and their runner jtreg from Debian.

The program {CLUSTER} is three brokers of Kafka in two guests, whose cable loses packets. User-mode Linux does not support cables.

  --kernel K           {kernelnames.NAMES_HELP}
  --timeout SECONDS    wall time of each guest (default: 3600)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Programs: {' '.join(tests())} {JDK} (default: all that the kernel supports).
'''


def run(arguments):
    settings = guest.Settings(timeout=3600)
    options = Options('programs', settings)
    options.refuse('programs needs the devices', '--no-devices')
    options.refuse('programs does not support %', '--arch', '--siw', '--without-rdma-core')
    known = tests()
    chosen = options.parse(arguments)
    for name in chosen:
        if name not in known and name != JDK:
            raise UsageError(f"programs: unknown program '{name}'; programs are {' '.join(known)} {JDK}")
    kernelnames.check_name(settings.kernel)
    if CLUSTER in chosen:
        pair.check(settings.kernel)
    if not chosen:
        chosen = [*known, JDK]
        if settings.kernel in kernelnames.UMLS:
            chosen.remove(CLUSTER)
            progress(f'{CLUSTER} is left out: user-mode Linux does not support cables between guests')
    packages.ensure_with_jdk()
    if not java.ensure_built():
        return 1
    if DATABASES in chosen:
        packages.ensure_postgres()
        valkey.ensure()
    if JDK in chosen:
        tested = jdktests.ensure()
    summary = Summary('')
    if classes := {name: known[name] for name in chosen if name not in (JDK, CLUSTER)}:
        done = guest.run(settings, [SCRIPT, *classes.values()])
        for name, test in classes.items():
            add(summary, name, test, done)
    if CLUSTER in chosen:
        test = known[CLUSTER]
        first, second = pair.run(settings, [SCRIPT, test], settings.kernel, f'{shlex.quote(str(SCRIPT))} --main {test}')
        add(summary, CLUSTER, test, first, second.code)
    if JDK in chosen:
        jdk(settings, summary, tested)
    return summary.print()


def add(summary, name, test, done, peers_code=0):
    """Adds a program's test to the summary."""
    folder = done.results / 'junit' / test
    code = folder / 'exit-code'
    summary.add_reports(name, sorted(folder.glob('TEST-*.xml')), (int(code.read_text()) if code.exists() else done.code or 1) or peers_code)


def jdk(settings, summary, folder):
    """Runs the tests of the JDK, and adds them to the summary."""
    done = guest.run(settings, [places.GUEST_FILES / 'guest-jdk-tests', folder, *jdktests.CHANNELS, *jdktests.NET])
    reports = done.results / 'jdk' / 'java'
    # The reports of a run that did not reach its end are incomplete.
    code = 0 if done.code in jdktests.COMPLETE else done.code
    for part in 'nio', 'net':
        summary.add_reports(f'{JDK} {part}', sorted((reports / part).rglob('*.jtr.xml')), code)
    left_out = [f'{test}: {why}' for test, why in jdktests.left_out().items()]
    summary.leave_out([f'{len(left_out)} tests of {jdktests.release(folder)}'], '\n  '.join(left_out))
