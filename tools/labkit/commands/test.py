# SPDX-License-Identifier: Apache-2.0
"""tools/lab test: all tests, on this machine and on real devices in guests of each kernel."""
import dataclasses
import os
import re
import shlex
from pathlib import Path

from .. import again, arch, guest, hosttests, java, junit, kernelnames, kernelreports, kernels, leftout, packages, pair, parts, places, qemu, siw, stops, testnames, userland, valkey
from ..options import Options, kernel_list, number
from ..say import UsageError, progress, warn
from ..summary import Summary
from ..watch import SIGNALS, signalled

ALL, ONE, DIFFERING = 'all', 'one', 'differing'  # which device tests a guest has (guest-tests)

MOST_JOBS = 4  # more guests than that at a time want more memory than most machines have

HELP = f'''Usage: tools/lab test [OPTION]…

Builds the project, runs the tests that need no device on this machine, and runs the device tests (classes *IT) in guests: what
differs between kernels on each of them, the rest on {kernelnames.DEFAULT}. Tests that take long, and those that simulated devices prove
as well, are left out of the guests; the last lines count them. Parts run side by side. One line shows the result of each part, and
target/lab/logs has what it printed.

A test that fails is run once more, up to {again.MOST} in a guest, and the summary names it. With --tests or --long, nothing is run twice.

  --all                each device test on each kernel, with two processors a guest
  --kernel K[,K]…      kernels to test on; may be repeated (default: {' '.join(kernelnames.FETCHED)}); {kernelnames.UML} is the fastest during
                       development
  --tests PATTERN      only classes whose name contains PATTERN (* stands for anything), or CLASS#METHOD; implies --all
  --verbose            print a line for each test
  --walks N            random walks to take (docs/walks.md), instead of a few
  --seed S             seed of the soak and of the first walk; alone, that one walk
  --long MINUTES       the long form, implies --all: random walks, and then the soak, for so long each on each kernel, beside
                       everything else, a hundred thousand messages over a wire that loses packets, each error at each system call,
                       20,000 connections in turn, 1,000 at a time, 10,000 contexts, 20,000 queue pairs, the programs of tools/lab
                       stops, user-mode Linux with the kernel's own checks ({kernelnames.UML_DEBUG}) beside the other kernels,
                       connections between guests of each two neighbouring kernels, and the usual tests on arm64; before that, on
                       this machine, all of tools/mutations and tools/litmus, and tools/stress --long and tools/fuzz for a quarter
                       of that time each
  --jobs N             parts at a time (default: one for each processor, at most {MOST_JOBS}; with --all one for each pair of processors)
  --arch A             amd64, or arm64: the device tests of the usual guest, without siw's, on an emulated arm64 (default: amd64)
  --no-host            leave out what needs no device
  --no-siw             no siw devices: the tests over siw are skipped. Otherwise the module is built where the kernel has none, once;
                       if the build fails, the tests over siw are skipped, and the reason is shown
  --timeout SECONDS    wall time for each guest (default: 2700)
  --memory MIB         memory of the guest
  --without-rdma-core  hide rdma-core from the guest
  -q, --quiet          no progress lines

Exit code 0: all passed. The last line says: N passed, N failed, N skipped.
'''


@dataclasses.dataclass
class Wishes:
    pattern: str = ''
    host: bool = True
    all: bool = False
    verbose: bool = False
    jobs: int = 0
    processors: int = qemu.PROCESSORS  # of a guest
    walks: str = ''
    seed: str = ''
    long: int = 0


def run(arguments):
    settings, names = guest.Settings(timeout=2700, siw=True), []
    wishes = Wishes()
    _options(settings, names, wishes).parse_all(arguments)
    wishes.all = wishes.all or bool(wishes.pattern or wishes.long)
    processors = len(os.sched_getaffinity(0))
    wishes.jobs = wishes.jobs or max(processors // qemu.PROCESSORS if wishes.all else min(processors, MOST_JOBS), 1)
    # A processor of a guest that waits for one of the machine's makes the guest's others wait: it keeps a lock, or owes an answer.
    wishes.processors = min(max(processors // wishes.jobs, 1), qemu.PROCESSORS)
    if wishes.long:
        # Walks, a quarter more for their replays, the soak, and the contexts and queue pairs that come and go; as much for everything
        # else as there is without.
        settings.timeout += wishes.long * 135 + 9000
    if not re.fullmatch(r'[A-Za-z0-9_.*#$]*', wishes.pattern):
        raise UsageError(f"test: --tests takes part of a class name, or CLASS#METHOD, not '{wishes.pattern}'")
    # The kernel with its own checks is slow, and what it finds is the kernel's: the long form runs it.
    names = names or [*kernelnames.FETCHED, *([kernelnames.UML_DEBUG] if wishes.long and settings.arch.native else [])]
    for name in names:
        kernelnames.check_name(name)
    packages.ensure_with_jdk()
    if wishes.host and not wishes.pattern:
        packages.install(packages.missing(packages.CROSS_BUILD) + packages.missing_libraries(packages.CROSS_BUILD_PACKAGES))
    # What cannot be fetched had better be known before an hour of tests.
    for name in names:
        kernels.resolve(name, settings.arch)
    if wishes.long and settings.arch.native:
        kernels.resolve(kernelnames.DEFAULT, arch.ARM64)
        userland.root(arch.ARM64)
    if not settings.arch.native:
        userland.root(settings.arch)
        # There the tests over siw and those without rdma-core do not run; all others do.
        progress(f'on {settings.arch.name}: the device tests of the usual guest only')
    if not java.ensure_built():
        return 1
    if wishes.all and settings.arch.native and testnames.fitting(wishes.pattern, [valkey.TESTS]):
        valkey.ensure()
    java.make_test_cache()
    runner = parts.Runner(wishes.jobs, wishes.verbose)
    summary = Summary(wishes.pattern, runner.show)
    try:
        runner.run(_parts(names, settings, wishes, summary))
    except _Stop as e:
        raise SystemExit(e.args[0]) from e
    if not wishes.all:
        leftout.report(summary, len(names))
    return summary.print()


def _parts(names, settings, wishes, summary):
    """Returns the parts of the run, those that take longest first."""
    main = kernelnames.DEFAULT if kernelnames.DEFAULT in names else names[0]
    usual, others = [], []
    for name in sorted(names, key=lambda name: name != main):
        scope = ALL if wishes.all else ONE if name == main else DIFFERING
        first, *rest = _guests(name, scope, settings, wishes, summary) or [None]
        usual += [first] if first else []
        others += rest
    host = [parts.Part('host', lambda: hosttests.run(summary, wishes.pattern, wishes.long))] if wishes.host else []
    # With one lane the quickest to fail comes first.
    found = [*usual[:1], *host, *usual[1:], *others] if wishes.jobs > 1 else [*host, *usual, *others]
    if wishes.long and settings.arch.native:
        stock = [name for name in names if name in kernelnames.FETCHED]
        found.append(parts.Part('stops', lambda: _test_stops(stock, settings, summary)))
        virtual = [name for name in names if not kernels.resolve(name, settings.arch).user_mode]
        found.append(parts.Part('pairs', lambda: _test_pairs(virtual, settings, summary)))
        on_arm64 = dataclasses.replace(settings, arch=arch.ARM64)
        found += _guests(kernelnames.DEFAULT, ALL, on_arm64, dataclasses.replace(wishes, long=0), summary)
    return found


def _options(settings, names, wishes):
    options = Options('test', settings)
    options.value('--kernel', kernel_list(names))
    options.value('--tests', lambda _, value: setattr(wishes, 'pattern', value))
    options.value('--walks', lambda option, value: setattr(wishes, 'walks', _integer(option, value)))
    options.value('--seed', lambda option, value: setattr(wishes, 'seed', _integer(option, value)))
    options.value('--long', lambda option, value: setattr(wishes, 'long', number(option, value)))
    options.value('--jobs', lambda option, value: setattr(wishes, 'jobs', number(option, value)))
    options.flag('--all', call=lambda: setattr(wishes, 'all', True))
    options.flag('--verbose', call=lambda: setattr(wishes, 'verbose', True))
    options.flag('--no-siw', call=lambda: setattr(settings, 'siw', False))
    options.flag('--no-host', call=lambda: setattr(wishes, 'host', False))
    options.refuse('test needs the devices that --no-devices leaves out', '--no-devices')
    return options


def _integer(option, value):
    if not re.fullmatch(r'-?[0-9]+', value):
        raise UsageError(f'test: {option} takes a number')
    return value


class _Stop(Exception):
    """A signal from outside ended a guest: no further ones."""


def _guests(name, scope, settings, wishes, summary):
    """Returns the parts of one kernel: the usual guest, one with siw, and a bare one, as far as there are tests for them."""
    usual, over_siw, bare = testnames.guests(
        wishes.pattern, testnames.of_jars(java.test_jars()), testnames.for_any_device(java.test_jars()))
    title = Path(name).name if settings.arch.native else f'{name}, {settings.arch.name}'
    found = []

    def add(title, kind, **changes):
        own = dataclasses.replace(settings, kernel=name, processors=wishes.processors, **changes)
        found.append(parts.Part(title, lambda: _guest_of_tests(title, kind, scope, own, wishes, summary)))
    if usual:
        add(title, 'usual', siw=False)
    if settings.arch.native and scope != DIFFERING:
        if over_siw:
            add(f'{title}, siw', 'siw')
        if bare:
            add(f'{title}, bare', 'bare', devices=False, siw=False, hide_rdma_core=True)
    return found


def _test_stops(names, settings, summary):
    """Runs the programs that stop a kernel, each in a guest of its own."""
    for name in names:
        chosen = stops.named([])
        wrong = stops.run_all(chosen, name, dataclasses.replace(settings, timeout=stops.TIMEOUT))
        sums = junit.Sum(passed=len(chosen) - len(wrong), failed=len(wrong), failures=[junit.Failure('', text) for text in wrong])
        summary.add(f'{name}, stops', sums)


def _test_pairs(names, settings, summary):
    """Joins each kernel's guest with the next one's by a cable: connections by IP address, with Java and C at either end."""
    script = places.GUEST_FILES / 'guest-connections'
    for first, second in zip(names, names[1:]):
        ends = dataclasses.replace(settings, kernel=first, siw=False)
        code = pair.run(ends, [script, 'client'], second, shlex.join([str(script), 'server']))
        sums = junit.Sum(passed=int(code == 0), failed=int(code != 0))
        if code:
            sums.failures.append(junit.Failure('', f'guest-connections ended with exit code {code}'))
        summary.add(f'{first} to {second}', sums)


def _can_have_siw(name):
    """Builds siw's module where that has not been done. A newest kernel may not let itself be built for: then its tests are skipped."""
    kernel = kernels.resolve(name)
    if kernel.user_mode:
        return True
    try:
        siw.module(kernel)
        return True
    except Exception as e:  # whatever is wrong with a package or a download: rxe's tests need none of it
        warn(f'no tests over siw on {name}: {e}')
        return False


def _guest_of_tests(title, kind, scope, settings, wishes, summary):
    if settings.siw:
        settings = dataclasses.replace(settings, siw=_can_have_siw(settings.kernel))
    reports = set()  # of the kernel; running a test again makes none undone
    sums = _run_tests(kind, scope, wishes.pattern, settings, wishes, summary, reports)
    if sums.failures and not wishes.pattern and not wishes.long:
        def once_more(tests):
            progress(f'once more: {tests or "all tests"}')
            # One that is named is run whatever it needs.
            return _run_tests(kind, ALL if tests else scope, tests, settings, wishes, summary, reports)
        sums = again.run(sums, once_more)
    sums.failed += len(reports)
    sums.failures += [junit.Failure('', report) for report in sorted(reports)]
    summary.add(title, sums)


def _run_tests(kind, scope, pattern, settings, wishes, summary, reports):
    if code := signalled():  # it came while this guest was prepared, and another ran
        raise _Stop(code)
    done = guest.run(settings, [places.GUEST_FILES / 'guest-tests', kind, scope, pattern, wishes.walks, wishes.seed,
                                wishes.long or ''])
    if done.ended in SIGNALS:
        raise _Stop(done.code)
    sums = summary.judge(sorted((done.results / 'junit').glob('TEST-*.xml')), done.code, done.results / 'begun')
    if settings.kernel == kernelnames.UML_DEBUG:
        reports.update(kernelreports.unknown(done.results))
    return sums
