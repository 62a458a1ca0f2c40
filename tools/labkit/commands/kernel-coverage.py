# SPDX-License-Identifier: Apache-2.0
"""tools/lab kernel-coverage: the lines and branches of rxe and uverbs that the device tests reach."""
from .. import guest, java, junit, kernelcoverage, kernelnames, packages, places, programs, umlbuild
from ..options import Options, number
from ..say import LabError, UsageError, plain, progress
from ..summary import Summary

HELP = '''Usage: tools/lab kernel-coverage [OPTION]…

Runs all device tests on a user-mode Linux that counts the executions of each line of rxe and uverbs (kernel uml-gcov, built on first
use). Writes docs/kernel-coverage.md: the reached lines and branches per file, and the functions that no test reaches.

  --results FOLDER     use the counts of an earlier run (a folder of target/lab/) without running tests; may be repeated
  --missed FUNCTION    only show the lines of a function of rxe that no test reaches, in the latest run unless --results
                       is given; may be repeated
  --walks N            take N random walks, steered to unreached code (SteeredWalksIT), and report the code that they reach beyond the
                       latest run of all tests, or that of --results; the page is not changed. Exit code 1: a walk failed
  --seed S             seed of the first walk
  --timeout SECONDS    wall time for the guest (default: 3600)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Tests that fail on user-mode Linux are listed in the results; the page is written nevertheless.
'''
PAGE = places.REPOSITORY / 'docs' / 'kernel-coverage.md'


def run(arguments):
    settings, selected = guest.Settings(timeout=3600, kernel=kernelnames.UML_GCOV), {'results': [], 'missed': [], 'walks': '', 'seed': ''}
    options = Options('kernel-coverage', settings)
    options.value('--results', lambda _, value: selected['results'].append(value))
    options.value('--missed', lambda _, value: selected['missed'].append(value))
    options.value('--walks', lambda option, value: selected.update(walks=str(number(option, value))))
    options.value('--seed', lambda option, value: selected.update(seed=str(number(option, value))))
    options.refuse('kernel-coverage does not support %', '--kernel', '--no-devices', '--without-rdma-core', '--siw')
    options.parse_all(arguments)
    if not programs.find('gcov'):
        packages.install(['gcc'])
    if (selected['missed'] or selected['walks']) and not selected['results']:
        selected['results'] = [_latest_of_all_tests()]
    folders = [_folder(name) for name in selected['results']] or [_run_tests(settings)]
    kernel = umlbuild.kernel(kernelnames.UML_GCOV)
    source = kernel.image.parent / 'source'
    rxe = kernelcoverage.read(source, folders)
    if selected['walks']:
        return _walk(settings, selected, source, folders, rxe)
    if selected['missed']:
        _show(rxe, source, selected['missed'])
        return 0
    uverbs = kernelcoverage.read(source, folders, kernelcoverage.UVERBS)
    reasons = kernelcoverage.out_of_reach(kernelcoverage.OUT_OF_REACH.read_text())
    tests = junit.sum_up(report for folder in folders for report in (folder / 'junit').glob('*.xml'))
    text = kernelcoverage.table(rxe, reasons, kernel.release, tests.passed)
    _write('kernel coverage', text)
    _write('uverbs coverage', kernelcoverage.plain_table(uverbs))
    plain(text.splitlines()[0])
    return 0


def _folder(name):
    folder = (places.REPOSITORY / name).resolve()
    if not folder.is_dir():
        raise UsageError(f"kernel-coverage: --results needs a folder, not '{name}'")
    return folder


def _latest_of_all_tests():
    """Returns the folder of the latest run of all tests. guest-tests writes the kernel's release into it."""
    folders = [folder for folder in places.results_base().glob(f'{kernelnames.UML_GCOV}-2*')
               if (folder / 'release').exists() and (folder / 'gcov').is_dir()]
    if not folders:
        raise UsageError('kernel-coverage: there is no run of all tests yet; run tools/lab kernel-coverage without options first')
    return max(folders, key=lambda folder: folder.name)


def _walk(settings, selected, source, folders, rxe):
    """Steers random walks to code that the given runs have not reached, and reports the code that they reach and their failures."""
    settings.timeout = 0
    known = f'VERBS4J_KNOWN_COUNTS={folders[0] / "gcov"}'
    results = _run_tests(settings, ['env', known], ['SteeredWalksIT', selected['walks'], selected['seed']])
    walks = kernelcoverage.read(source, [results])
    found = walks.reached() - rxe.reached()
    lines = {what for what in found if isinstance(what[1], int)}
    plain(f"{selected['walks']} walks reach {len(lines)} lines and {len(found - lines)} branches of rxe that the tests do not reach")
    for function in walks.functions.values():
        new = sorted(number for file, number in lines if file == function.file and function.first <= number <= function.last)
        if new:
            plain(f'  {function.name} ({function.file}): {" ".join(map(str, new))}')
    rounds = results / 'steered-walks.tsv'
    if rounds.exists():
        plain(f'first seed and weights of each round with new lines or branches: {places.short(rounds)}')
    summary = Summary('SteeredWalksIT')
    summary.add_reports('walks', sorted((results / 'junit').glob('TEST-*.xml')))
    return summary.print()


def _run_tests(settings, before=(), after=()):
    packages.ensure_with_jdk()
    if not java.ensure_built():
        raise LabError('the project does not build')
    done = guest.run_to_end(settings, [*before, places.GUEST_FILES / 'guest-tests', 'usual', 'all', *after], (0, 1))
    progress(f'results: {places.short(done.results)}')
    return done.results


def _show(counts, source, names):
    for function in counts.functions.values():
        if function.name in names:
            lines = (source / counts.part.folder / function.file).read_text().splitlines()
            plain(f'{function.file}: {function.name}, {function.runs} times')
            for number in counts.missed(function):
                plain(f'{number:5} {lines[number - 1]}')


def _write(name, text):
    """Puts a table into the page, between the marks with its name."""
    begin, end = f'<!-- {name} -->', f'<!-- end of {name} -->'
    before, _, rest = PAGE.read_text().partition(begin)
    _, mark, after = rest.partition(end)
    if not mark:
        raise LabError(f'{places.short(PAGE)} has no place for the table: {begin} … {end}')
    PAGE.write_text(f'{before}{begin}\n{text}{end}{after}')
