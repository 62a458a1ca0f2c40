# SPDX-License-Identifier: Apache-2.0
"""tools/lab test: all tests, on this machine and with rxe devices in guests of each kernel."""
import dataclasses
import os
import re
import shlex

from .. import again, arch, guest, hosttests, java, junit, kernelnames, kernelreports, kernels, leftout, packages, pair, parts, places, qemu, siw, stops, testnames, userland, valkey
from ..options import Options, kernel_list, number
from ..say import UsageError, progress, warn
from ..summary import Summary

ALL, ONE, DIFFERING = 'all', 'one', 'differing'  # the scope of a guest's device tests (guest-tests)

ENVIRONMENTS_TIMEOUT = 4500  # additional wall time: a Java process per environment, each for a minute

MAX_JOBS = 4  # more concurrent guests need more memory than most machines have

HELP = f'''Usage: tools/lab test [OPTION]…

Builds the project, runs the tests without a device on this machine, and runs the device tests (classes *IT) in guests. Tests that
differ between kernels run on each of them, the others on {kernelnames.DEFAULT}. Long tests, and tests that simulated devices
cover too, are left out of the guests; the last lines count them. Parts run concurrently. One line shows the result of each part, and
target/lab/logs-latest contains its output.

Failed tests are run once more, up to {again.MAX_TESTS} per guest, and the summary lists them. With --tests or --long, no test is run twice.

  --all                each device test on each kernel, with two processors per guest
  --kernel K[,K]…      kernels to test on; may be repeated (default: {' '.join(kernelnames.FETCHED)}); {kernelnames.UML} is the fastest for
                       development
  --tests PATTERN      only classes whose name contains PATTERN (* matches any text), or CLASS#METHOD; implies --all
  --verbose            print a line for each test
  --walks N            number of random walks (docs/walks.md), instead of a few
  --seed S             seed of the soak and of the first walk; without --walks, only that walk
  --long MINUTES       the long form, implies --all: random walks and then the soak, MINUTES each on each kernel, in addition to
                       all other tests; a hundred thousand messages over a wire with packet loss; each error at each system call;
                       20,000 connections in turn, 1,000 concurrently; 10,000 contexts; 20,000 queue pairs; the programs of tools/lab
                       stops; user-mode Linux with the kernel's own checks ({kernelnames.UML_DEBUG}) as another kernel;
                       connections between guests of consecutive kernels; and the usual tests on arm64. Before that, on
                       this machine: tools/mutations and tools/litmus completely, tools/stress --long and tools/fuzz for a quarter
                       of MINUTES each
  --jobs N             concurrent parts (default: one per processor, at most {MAX_JOBS}; with --all one per two processors)
  --arch A             amd64, or arm64: the device tests of the usual guest, without siw's, on an emulated arm64 (default: amd64)
  --no-host            leave out the tests without a device
  --no-siw             no siw devices, so tests over siw are skipped. Otherwise the module is built once for kernels that lack it;
                       if the build fails, the tests over siw are skipped, and the reason is shown
  --timeout SECONDS    wall time for each guest (default: 2700)
  --memory MIB         memory of the guest
  --without-rdma-core  hide rdma-core from the guest
  -q, --quiet          no progress lines

Exit code 0: all tests passed. The last line is: N passed, N failed, N skipped.
'''


@dataclasses.dataclass
class Selection:
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
    selected = Selection()
    _options(settings, names, selected).parse_all(arguments)
    settings.siw = settings.siw and settings.arch.native  # on another processor, the tests over siw do not run
    guest.check(settings)
    selected.all = selected.all or bool(selected.pattern or selected.long)
    processors = len(os.sched_getaffinity(0))
    selected.jobs = selected.jobs or max(processors // qemu.PROCESSORS if selected.all else min(processors, MAX_JOBS), 1)
    # If a guest's processor has to wait for one of the machine's, the guest's other processors wait for its lock or answer.
    selected.processors = min(max(processors // selected.jobs, 1), qemu.PROCESSORS)
    if selected.long:
        # Walks, 25 % more for their replays, the soak, and the contexts and queue pairs that are created and closed. The same
        # time again for all other tests.
        settings.timeout += selected.long * 135 + 9000
    if not re.fullmatch(r'[A-Za-z0-9_.*#$]*', selected.pattern):
        raise UsageError(f"test: --tests needs a part of a class name, or CLASS#METHOD, not '{selected.pattern}'")
    # The kernel with its own checks is slow, and its reports concern the kernel. Only the long form runs it.
    names = names or [*kernelnames.FETCHED, *([kernelnames.UML_DEBUG] if selected.long and settings.arch.native else [])]
    for name in names:
        kernelnames.check_name(name)
    packages.ensure_with_jdk()
    if selected.host and not selected.pattern:
        packages.install(packages.missing(packages.CROSS_BUILD) + packages.missing_libraries(packages.CROSS_BUILD_PACKAGES))
    # Missing downloads should be reported before an hour of tests.
    for name in names:
        kernels.resolve(name, settings.arch)
    if selected.long and settings.arch.native:
        kernels.resolve(kernelnames.DEFAULT, arch.ARM64)
        userland.root(arch.ARM64)
    if not settings.arch.native:
        userland.root(settings.arch)
        # There the tests over siw and those without rdma-core do not run. All others do.
        progress(f'on {settings.arch.name}: the device tests of the usual guest only')
    if not java.ensure_built():
        return 1
    if selected.all and settings.arch.native and testnames.fitting(selected.pattern, [valkey.TESTS]):
        valkey.ensure()
    java.make_test_cache()
    runner = parts.Runner(selected.jobs, selected.verbose)
    summary = Summary(selected.pattern, runner.show)
    runner.run(_parts(names, settings, selected, summary))
    if not selected.all:
        leftout.report(summary, len(names))
    return summary.print()


def _parts(names, settings, selected, summary):
    """Returns the parts of the run, the longest first."""
    main = kernelnames.DEFAULT if kernelnames.DEFAULT in names else names[0]
    usual, others = [], []
    for name in sorted(names, key=lambda name: name != main):
        scope = ALL if selected.all else ONE if name == main else DIFFERING
        environments = selected.all and not selected.pattern and name == main
        first, *rest = _guests(name, scope, settings, selected, summary, environments) or [None]
        usual += [first] if first else []
        others += rest
    host = [parts.Part('host', lambda: hosttests.run(summary, selected.pattern, selected.long))] if selected.host else []
    # With one lane, the part that fails fastest comes first.
    found = [*usual[:1], *host, *usual[1:], *others] if selected.jobs > 1 else [*host, *usual, *others]
    if selected.long and settings.arch.native:
        stock = [name for name in names if name in kernelnames.FETCHED]
        found.append(parts.Part('stops', lambda: _test_stops(stock, settings, summary)))
        virtual = [name for name in names if not kernels.resolve(name, settings.arch).user_mode]
        found.append(parts.Part('pairs', lambda: _test_pairs(virtual, settings, summary)))
        on_arm64 = dataclasses.replace(settings, arch=arch.ARM64, siw=False, hide_rdma_core=False)
        found += _guests(kernelnames.DEFAULT, ALL, on_arm64, dataclasses.replace(selected, long=0), summary)
    return found


def _options(settings, names, selected):
    options = Options('test', settings)
    options.value('--kernel', kernel_list(names))
    options.value('--tests', lambda _, value: setattr(selected, 'pattern', value))
    options.value('--walks', lambda option, value: setattr(selected, 'walks', _integer(option, value)))
    options.value('--seed', lambda option, value: setattr(selected, 'seed', _integer(option, value)))
    options.value('--long', lambda option, value: setattr(selected, 'long', number(option, value)))
    options.value('--jobs', lambda option, value: setattr(selected, 'jobs', number(option, value)))
    options.flag('--all', call=lambda: setattr(selected, 'all', True))
    options.flag('--verbose', call=lambda: setattr(selected, 'verbose', True))
    options.flag('--no-siw', call=lambda: setattr(settings, 'siw', False))
    options.flag('--no-host', call=lambda: setattr(selected, 'host', False))
    options.refuse('test needs devices, so it does not support --no-devices', '--no-devices')
    return options


def _integer(option, value):
    if not re.fullmatch(r'-?[0-9]+', value):
        raise UsageError(f'test: {option} needs a number')
    return value


def _guests(name, scope, settings, selected, summary, environments=False):
    """Returns the parts of one kernel: the usual guest, one with siw, a bare one, and one of disturbed environments, if there are tests
    for them."""
    usual, over_siw, bare = testnames.guests(
        selected.pattern, testnames.of_jars(java.test_jars()), testnames.for_any_device(java.test_jars()))
    title = name if settings.arch.native else f'{name}, {settings.arch.name}'
    found = []

    def add(title, kind, **changes):
        own = dataclasses.replace(settings, kernel=name, processors=selected.processors, **changes)
        found.append(parts.Part(title, lambda: _guest_of_tests(title, kind, scope, own, selected, summary)))
    if usual:
        add(title, 'usual', siw=False)
    if settings.arch.native and scope != DIFFERING:
        if over_siw:
            add(f'{title}, siw', 'siw')
        if bare:
            add(f'{title}, bare', 'bare', devices=False, siw=False, hide_rdma_core=True)
        if environments:
            add(f'{title}, environments', 'environments', siw=False, timeout=settings.timeout + ENVIRONMENTS_TIMEOUT)
    return found


def _test_stops(names, settings, summary):
    """Runs the programs that crash a kernel, each in a separate guest."""
    for name in names:
        chosen = stops.named([])
        wrong = stops.run_all(chosen, name, dataclasses.replace(settings, timeout=stops.TIMEOUT))
        sums = junit.Sum(passed=len(chosen) - len(wrong), failed=len(wrong), failures=[junit.Failure('', text) for text in wrong])
        summary.add(f'{name}, stops', sums)


def _test_pairs(names, settings, summary):
    """Connects each kernel's guest with the next one's by a cable, and tests connections by IP address between Java and C."""
    script = places.GUEST_FILES / 'guest-connections'
    for first, second in zip(names, names[1:]):
        ends = dataclasses.replace(settings, kernel=first, siw=False)
        client, server = pair.run(ends, [script, 'client'], second, shlex.join([str(script), 'server']))
        code = client.code or server.code
        sums = junit.Sum(passed=int(code == 0), failed=int(code != 0))
        if code:
            sums.failures.append(junit.Failure('', f'guest-connections ended with exit code {code}'))
        summary.add(f'{first} to {second}', sums)


def _can_have_siw(name):
    """Builds siw's module if it is missing. If the build fails, which new kernels may cause, its tests are skipped."""
    kernel = kernels.resolve(name)
    if kernel.user_mode:
        return True
    try:
        siw.module(kernel)
        return True
    except Exception as e:  # any failure of a package or a download: the tests of rxe do not need siw
        warn(f'no tests over siw on {name}: {e}')
        return False


def _guest_of_tests(title, kind, scope, settings, selected, summary):
    if settings.siw:
        settings = dataclasses.replace(settings, siw=_can_have_siw(settings.kernel))
    reports = set()  # of the kernel; running a test again does not remove them
    sums = _run_tests(kind, scope, selected.pattern, settings, selected, summary, reports)
    if sums.failures and not selected.pattern and not selected.long:
        def once_more(tests):
            progress(f'once more: {tests or "all tests"}')
            # A named test runs regardless of its needs.
            return _run_tests(kind, ALL if tests else scope, tests, settings, selected, summary, reports)
        sums = again.run(sums, once_more)
    sums.failed += len(reports)
    sums.failures += [junit.Failure('', report) for report in sorted(reports)]
    summary.add(title, sums)


def _run_tests(kind, scope, pattern, settings, selected, summary, reports):
    done = guest.run(settings, [places.GUEST_FILES / 'guest-tests', kind, scope, pattern, selected.walks, selected.seed,
                                selected.long or ''])
    sums = summary.judge(sorted((done.results / 'junit').glob('TEST-*.xml')), done.code, done.results / 'begun')
    if settings.kernel == kernelnames.UML_DEBUG:
        reports.update(kernelreports.unknown(done.results))
    return sums
