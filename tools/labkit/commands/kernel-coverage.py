# SPDX-License-Identifier: Apache-2.0
"""tools/lab kernel-coverage: which lines of rxe the device tests reach."""
from .. import guest, java, junit, kernelcoverage, kernels, packages, places, programs, umlbuild
from ..options import Options
from ..say import LabError, UsageError, plain, progress

HELP = '''Usage: tools/lab kernel-coverage [OPTION]…

Runs all device tests on user-mode Linux that counts how often each line of rxe runs (kernel uml-gcov, built when first used),
and writes docs/kernel-coverage.md: the lines reached, file by file, and the functions that no test reaches.

  --results FOLDER     take the counts of an earlier run (a folder of target/lab/), run nothing
  --timeout SECONDS    wall time for the guest (default: 3600)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Tests that fail on user-mode Linux are listed in the results; they do not keep the page from being written.
'''
PAGE = places.REPOSITORY / 'docs' / 'kernel-coverage.md'
MARKS = '<!-- kernel coverage -->', '<!-- end of kernel coverage -->'


def run(arguments):
    settings, wishes = guest.Settings(timeout=3600, kernel=kernels.UML_GCOV), {}
    options = Options('kernel-coverage', settings)
    options.value('--results', lambda _, value: wishes.update(results=value))
    options.refuse('kernel-coverage: % is not for this command', '--kernel', '--no-devices', '--without-rdma-core', '--siw')
    options.parse_all(arguments)
    if not programs.find('gcov'):
        packages.install(['gcc'])
    if 'results' in wishes:
        results = (places.REPOSITORY / wishes['results']).resolve()
        if not results.is_dir():
            raise UsageError(f"kernel-coverage: --results needs a folder, not '{wishes['results']}'")
    else:
        packages.ensure_with_jdk()
        if not java.ensure_built():
            return 1
        done = guest.run(settings, [places.GUEST_FILES / 'guest-tests', 'usual'])
        if done.code not in (0, 1):
            raise LabError(f'the guest ended with exit code {done.code}; see {places.short(done.results)}')
        results = done.results
        progress(f'results: {places.short(results)}')
    kernel = umlbuild.kernel(kernels.UML_GCOV)
    counts = kernelcoverage.read(kernel.image.parent / 'source', results)
    reasons = kernelcoverage.out_of_reach(kernelcoverage.OUT_OF_REACH.read_text())
    tests = junit.sum_up((results / 'junit').glob('*.xml'))
    text = kernelcoverage.table(counts, reasons, kernel.release, tests.passed)
    page = PAGE.read_text()
    before, _, rest = page.partition(MARKS[0])
    _, mark, after = rest.partition(MARKS[1])
    if not mark:
        raise LabError(f'{places.short(PAGE)} has no place for the table: {" … ".join(MARKS)}')
    PAGE.write_text(f'{before}{MARKS[0]}\n{text}{MARKS[1]}{after}')
    plain(text.splitlines()[0])
    return 0

