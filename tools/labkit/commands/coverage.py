# SPDX-License-Identifier: Apache-2.0
"""tools/lab coverage: coverage of libibverbs in Java, from the results of the device tests."""
import dataclasses
import os

from .. import guest, java, kernelnames, packages, places
from ..options import Options
from ..say import Channel, channel, progress, use_channel, warn

HELP = f'''Usage: tools/lab coverage [OPTION]…

Writes docs/verbs-coverage.md: each function of libibverbs, its equivalent in Java, the tests that prove it, and their
outcomes on each kernel ({' '.join(kernelnames.FETCHED)}). Uses the newest results of all device tests (tools/lab test --all) on
each kernel, and runs the tests if there are none. Warns if results are older than the last build.

  --run                run the device tests on all kernels, even if there are results
  --timeout SECONDS    wall time for each guest (default: 1800)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Exit code 1: a test has failed, or no test has called a function that exists in Java.
'''


class ErrorsOnly(Channel):
    """Sends the output of guests to stderr, because stdout is for the table."""

    def out(self, data):
        self.err(data)


def run_apart(settings, command):
    """Runs a guest with output to stderr, whose tests may fail; returns the folder of its results."""
    before = channel()
    use_channel(ErrorsOnly())
    try:
        return guest.run_to_end(settings, command, (0, 1)).results
    finally:
        use_channel(before)


def run(arguments):
    settings, selected = guest.Settings(timeout=1800), []
    options = Options('coverage', settings)
    options.flag('--run', call=lambda: selected.append('run'))
    options.refuse('coverage does not support %', '--kernel', '--no-devices', '--without-rdma-core', '--siw')
    options.parse_all(arguments)
    packages.ensure_with_jdk()
    if not java.ensure_built():
        return 1
    results = []
    for name in kernelnames.FETCHED:
        folder = None if selected else newest_full_results(name)
        if not folder:
            folder = run_apart(dataclasses.replace(settings, kernel=name), [places.GUEST_FILES / 'guest-tests', 'usual', 'all'])
        progress(f'results of {name}: {places.short(folder)}')
        if is_old(folder):
            warn(f'the results of {name} are older than the last build; with --run, the tests run again')
        results.append(f'{name}={folder}')
    return java.run_test_program('io.verbs4j.tests.coverage.CoverageTable',
                                 places.REPOSITORY / 'docs' / 'verbs-coverage.md', *results)


def newest_full_results(name):
    """Returns the folder of the last complete run of all device tests.

    guest-tests writes a file "release" when it runs all of them. Other exit codes are those of a guest that did not finish.
    """
    def full(folder):
        return (all(os.path.exists(folder / file) and os.path.getsize(folder / file) for file in ('release', 'coverage.tsv', 'exit-code'))
                and (folder / 'exit-code').read_text().strip() in ('0', '1') and not (folder / 'pyverbs.tsv').exists())
    folders = [folder for folder in sorted(places.results_base().glob(f'{name}-[0-9]*')) if full(folder)]
    return folders[-1] if folders else None


def is_old(folder):
    """Returns whether the project was built after a run of the tests."""
    built = places.REPOSITORY / 'target' / '.built'
    return built.exists() and (folder / 'exit-code').stat().st_mtime < built.stat().st_mtime
