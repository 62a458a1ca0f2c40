# SPDX-License-Identifier: Apache-2.0
"""tools/lab test: all tests, on this machine and on real devices in guests of each kernel."""
import dataclasses
import os
import re
import shlex
import threading
from pathlib import Path

from .. import again, arch, guest, hosttests, java, junit, kernelreports, kernels, packages, pair, places, qemu, siw, stops, testnames, userland
from ..options import Options, kernel_list, number
from ..say import NamedChannel, UsageError, plain, progress, use_channel, warn
from ..summary import Summary
from ..watch import SIGNALS

HELP = f'''Usage: tools/lab test [OPTION]…

Builds the project and runs the tests that need no device (classes *Test) on this machine and then the brief form of
tools/stress, then the device tests (classes *IT) on each kernel: most in a guest with two rxe devices on a wire, a few
in one that has neither devices nor rdma-core. Where there are processors for several guests, kernels are tested side by
side. Up to {again.MOST} tests that fail in a guest are run once more, each in a guest of its own, and so are all of a guest that breaks
off; the summary names what failed at first. With --tests or --long, nothing is run twice.

  --kernel K[,K]…      kernels to test on; may be repeated (default: {' '.join(kernels.FETCHED)}); {kernels.UML} is the fastest while one
                       develops
  --tests PATTERN      only classes whose name contains PATTERN (* stands for anything), or CLASS#METHOD
  --walks N            random walks to take (docs/walks.md), instead of a few
  --seed S             seed of the soak and of the first walk; alone, that one walk
  --long MINUTES       the long form: random walks, and then the soak, for so long each on each kernel, beside everything
                       else, a hundred thousand messages over a wire that loses packets, each error at each system call,
                       20,000 connections in turn, 1,000 at a time, 10,000 contexts, 20,000 queue pairs, the programs of tools/lab stops, user-mode Linux with the kernel's own checks ({kernels.UML_DEBUG}) beside the other kernels, connections between guests of each two neighbouring kernels, and the usual tests on arm64; before that, on this machine, all of tools/mutations and tools/litmus, and tools/stress --long and tools/fuzz for a quarter of that time each
  --jobs N             guests at a time (default: as many as there are pairs of processors)
  --arch A             amd64, or arm64: the device tests of the usual guest, without siw's, on an emulated arm64 (default: amd64)
  --no-host            leave out what needs no device
  --no-siw             no siw devices: the tests over siw are skipped. Else its module is built where the kernel has none, once;
                       where that fails, the tests over siw are skipped, and the reason is shown
  --timeout SECONDS    wall time for each guest (default: 1800)
  --memory MIB         memory of the guest
  --without-rdma-core  hide rdma-core from the guest
  -q, --quiet          no progress lines

Exit code 0: all passed. The last line says: N passed, N failed, N skipped.
'''


LAST = 99  # in the summary


@dataclasses.dataclass
class Wishes:
    pattern: str = ''
    host: bool = True
    jobs: int = 1
    walks: str = ''
    seed: str = ''
    long: int = 0


def run(arguments):
    settings, names = guest.Settings(timeout=1800, siw=True), []
    # More would wait for each other: a guest's processor that has none of the machine's keeps a lock, or owes an answer.
    wishes = Wishes(jobs=max(len(os.sched_getaffinity(0)) // qemu.PROCESSORS, 1))
    _options(settings, names, wishes).parse_all(arguments)
    if wishes.long:
        # Walks, a quarter more for their replays, the soak, and the contexts and queue pairs that come and go; as much for everything
        # else as there is without.
        settings.timeout += wishes.long * 135 + 9000
    if not re.fullmatch(r'[A-Za-z0-9_.*#$]*', wishes.pattern):
        raise UsageError(f"test: --tests takes part of a class name, or CLASS#METHOD, not '{wishes.pattern}'")
    # The kernel with its own checks is slow, and what it finds is the kernel's: the long form runs it.
    names = names or [*kernels.FETCHED, *([kernels.UML_DEBUG] if wishes.long and settings.arch.native else [])]
    for name in names:
        kernels.check_name(name)
    packages.ensure_with_jdk()
    if wishes.host and not wishes.pattern:
        packages.install(packages.missing(packages.CROSS_BUILD) + packages.missing_libraries(packages.CROSS_BUILD_PACKAGES))
    # What cannot be fetched had better be known before an hour of tests.
    for name in names:
        kernels.resolve(name, settings.arch)
    if wishes.long and settings.arch.native:
        kernels.resolve(kernels.DEFAULT, arch.ARM64)
        userland.root(arch.ARM64)
    if not settings.arch.native:
        userland.root(settings.arch)
        # There the tests over siw and those without rdma-core do not run; all others do.
        progress(f'on {settings.arch.name}: the device tests of the usual guest only')
    summary = Summary(wishes.pattern)
    if not (hosttests.run(summary, wishes.pattern, wishes.long) if wishes.host else java.ensure_built()):
        return 1
    java.make_test_cache()
    _test_kernels(names, settings, wishes, summary)
    if wishes.long and settings.arch.native:
        _test_stops([name for name in names if name in kernels.FETCHED], settings, summary)
        _test_pairs([name for name in names if not kernels.resolve(name, settings.arch).user_mode], settings, summary)
        _test_arm64(settings, wishes, summary)
    return summary.print()


def _options(settings, names, wishes):
    options = Options('test', settings)
    options.value('--kernel', kernel_list(names))
    options.value('--tests', lambda _, value: setattr(wishes, 'pattern', value))
    options.value('--walks', lambda option, value: setattr(wishes, 'walks', _integer(option, value)))
    options.value('--seed', lambda option, value: setattr(wishes, 'seed', _integer(option, value)))
    options.value('--long', lambda option, value: setattr(wishes, 'long', number(option, value)))
    options.value('--jobs', lambda option, value: setattr(wishes, 'jobs', number(option, value)))
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


def _test_kernels(names, settings, wishes, summary):
    """Tests each kernel by a thread of its own, so many at a time; one alone says nothing of its name."""
    if len(names) == 1:
        try:
            _test_kernel(1, names[0], settings, wishes, summary)
        except _Stop as e:
            raise SystemExit(e.args[0]) from e
        return
    room, stopped = threading.Semaphore(wishes.jobs), []

    def work(order, name):
        with room:
            if stopped:
                return
            progress(f'testing on {name}')
            named = NamedChannel(Path(name).name)
            use_channel(named)
            try:
                _test_kernel(order, name, settings, wishes, summary)
            except _Stop as e:
                stopped.append(e.args[0])
            except Exception as e:
                summary.add_reports(order, name, [], code=f'it was not tested: {e}')
            finally:
                named.flush()

    threads = []
    for order, name in enumerate(names, 1):
        threads.append(threading.Thread(target=work, args=(order, name)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    if stopped:
        raise SystemExit(stopped[0])


def _test_kernel(order, name, settings, wishes, summary):
    usual, over_siw, bare = testnames.guests(
        wishes.pattern, testnames.of_jars(java.test_jars()), testnames.for_any_device(java.test_jars()))
    if usual:
        title = name if settings.arch.native else f'{name}, {settings.arch.name}'
        plain(f'\n== device tests on {title} ==')
        without = dataclasses.replace(settings, kernel=name, siw=False)
        _guest_of_tests(order, title, 'usual', without, wishes, summary)
    if not settings.arch.native:
        return
    if over_siw:
        plain(f'\n== tests over siw on {name} ==')
        with_siw = dataclasses.replace(settings, kernel=name, siw=settings.siw and _can_have_siw(name))
        _guest_of_tests(order, f'{name}, siw', 'siw', with_siw, wishes, summary)
    if bare:
        plain(f'\n== tests on {name} without devices and rdma-core ==')
        without = dataclasses.replace(settings, kernel=name, devices=False, siw=False, hide_rdma_core=True)
        _guest_of_tests(order, f'{name}, bare', 'bare', without, wishes, summary)


def _test_stops(names, settings, summary):
    """Runs the programs that stop a kernel, each in a guest of its own."""
    for order, name in enumerate(names, 1):
        plain(f'\n== what stops {name} ==')
        chosen = stops.named([])
        wrong = stops.run_all(chosen, name, dataclasses.replace(settings, timeout=stops.TIMEOUT))
        sums = junit.Sum(passed=len(chosen) - len(wrong), failed=len(wrong), failures=[junit.Failure('', text) for text in wrong])
        summary.add(order, f'{name}, stops', sums)


def _test_pairs(names, settings, summary):
    """Joins each kernel's guest with the next one's by a cable: connections by IP address, with Java and C at either end."""
    script = places.GUEST_FILES / 'guest-connections'
    for order, (first, second) in enumerate(zip(names, names[1:]), len(names) + 1):
        title = f'{first} to {second}'
        plain(f'\n== connections from {first} to {second} ==')
        ends = dataclasses.replace(settings, kernel=first, siw=False)
        code = pair.run(ends, [script, 'client'], second, shlex.join([str(script), 'server']))
        sums = junit.Sum(passed=int(code == 0), failed=int(code != 0))
        if code:
            sums.failures.append(junit.Failure('', f'guest-connections ended with exit code {code}'))
        summary.add(order, title, sums)


def _test_arm64(settings, wishes, summary):
    """Runs the tests in their usual form on an emulated arm64."""
    on_arm64 = dataclasses.replace(settings, arch=arch.ARM64)
    _test_kernel(LAST, kernels.DEFAULT, on_arm64, dataclasses.replace(wishes, long=0), summary)


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


def _guest_of_tests(order, title, kind, settings, wishes, summary):
    reports = set()  # of the kernel; running a test again makes none undone
    sums = _run_tests(kind, wishes.pattern, settings, wishes, summary, reports)
    if sums.failures and not wishes.pattern and not wishes.long:
        def once_more(tests):
            plain(f'\n== once more on {title}: {tests or "all tests"} ==')
            return _run_tests(kind, tests, settings, wishes, summary, reports)
        sums = again.run(sums, once_more)
    sums.failed += len(reports)
    sums.failures += [junit.Failure('', report) for report in sorted(reports)]
    summary.add(order, title, sums)


def _run_tests(kind, pattern, settings, wishes, summary, reports):
    done = guest.run(settings, [places.GUEST_FILES / 'guest-tests', kind, pattern, wishes.walks, wishes.seed,
                                wishes.long or ''])
    if done.ended in SIGNALS:
        raise _Stop(done.code)
    sums = summary.judge(sorted((done.results / 'junit').glob('TEST-*.xml')), done.code, done.results / 'begun')
    if settings.kernel == kernels.UML_DEBUG:
        reports.update(kernelreports.unknown(done.results))
    return sums
