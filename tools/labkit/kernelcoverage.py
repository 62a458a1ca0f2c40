# SPDX-License-Identifier: Apache-2.0
"""Lines and branches of rxe and uverbs that the device tests executed, counted by user-mode Linux built for gcov."""
import collections
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from . import places
from .say import LabError

OUT_OF_REACH = places.GUEST_FILES / 'rxe-out-of-reach.txt'


@dataclass(frozen=True)
class Part:
    """A part of the kernel: the files of a folder whose names match."""
    folder: str
    files: str = '.*'

    def has(self, file):
        return f'{self.folder}/' in file and re.fullmatch(self.files, Path(file).name) is not None


RXE = Part('drivers/infiniband/sw/rxe')
UVERBS = Part('drivers/infiniband/core', r'(uverbs|rdma_core|ib_core_uverbs).*')


@dataclass
class Function:
    file: str
    name: str
    first: int
    last: int
    runs: int = 0


@dataclass
class Counts:
    """The lines and branches of a part's files with their execution counts, and its functions."""
    part: Part = RXE
    lines: dict = field(default_factory=lambda: collections.defaultdict(collections.Counter))
    branches: dict = field(default_factory=lambda: collections.defaultdict(collections.Counter))
    functions: dict = field(default_factory=dict)

    def add(self, report):
        """Adds a file's report. A header's lines appear in the reports of all files that include it."""
        for file in report['files']:
            if not self.part.has(file['file']):
                continue
            name = Path(file['file']).name
            for line in file['lines']:
                number = line['line_number']
                self.lines[name][number] += line['count']
                for index, branch in enumerate(line.get('branches', ())):
                    self.branches[name][number, index] += branch['count']
            for function in file['functions']:
                key = name, function['name']
                known = self.functions.setdefault(key, Function(*key, function['start_line'], function['end_line']))
                known.runs += function['execution_count']

    def of(self, function):
        """Returns the number of a function's lines, and the number of executed ones."""
        counts = [count for number, count in self.lines[function.file].items() if function.first <= number <= function.last]
        return _sum(counts)

    def reached(self):
        """Returns all executed code: files with line numbers, and with branches as pairs of numbers."""
        return {(file, what) for counts in (self.lines, self.branches) for file in counts
                for what, count in counts[file].items() if count}

    def missed(self, function):
        """Returns the numbers of a function's lines that were not executed."""
        return sorted(number for number, count in self.lines[function.file].items()
                      if function.first <= number <= function.last and not count)


def read(source, results, part=RXE):
    """Returns gcov's report for the counts below folders of results, with the notes and the source of the build."""
    counts = Counts(part)
    for folder in results:
        found = [data for data in sorted((folder / 'gcov' / part.folder).glob('*.gcda')) if re.fullmatch(part.files, data.stem)]
        if not found:
            raise LabError(f'{places.short(folder)} has no counts: its kernel was not uml-gcov, or the guest did not end regularly')
        for data in found:
            _read(source, data, counts)
    return counts


def _read(source, data, counts):
    notes = source / counts.part.folder / f'{data.stem}.gcno'
    # gcov expects the counts next to the notes.
    folder = places.scratch()
    (folder / notes.name).write_bytes(notes.read_bytes())
    (folder / data.name).write_bytes(data.read_bytes())
    command = ['gcov', '--stdout', '--json-format', '--branch-probabilities', folder / data.name]
    done = subprocess.run(command, text=True, cwd=source, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise LabError(f'gcov cannot read {data.name}: {done.stderr.strip()}')
    for line in filter(None, done.stdout.splitlines()):
        counts.add(json.loads(line))


def out_of_reach(text):
    """Returns the functions that no user program can execute, with reasons. A line: FUNCTION  REASON."""
    rows = [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith('#')]
    return {name: reason for name, reason in rows}


def table(counts, reasons, release, tests):
    """Returns the page's generated part about rxe."""
    stale = sorted(name for name in reasons if not any(name == function.name for function in counts.functions.values()))
    run = sorted({function.name for function in counts.functions.values() if function.name in reasons and function.runs})
    if run or stale:
        raise LabError(f'{places.short(OUT_OF_REACH)} is wrong: executed functions: {" ".join(run) or "none"}; unknown functions: {" ".join(stale) or "none"}')
    outside = collections.Counter()
    for function in counts.functions.values():
        if function.name in reasons:
            outside[function.file] += counts.of(function)[0]
    lines, reached, ways, taken = _total(counts)
    outside_all = sum(outside.values())
    rows = [f'Linux {release}, {tests} device tests: **{share(reached, lines - outside_all)} of the lines that a user program can reach** '
            f'({reached} of {lines - outside_all}; {outside_all} more are out of reach), and {share(taken, ways)} of all branches.', '',
            '| file | lines | out of reach | reached | share | branches | taken | share |',
            '| --- | --- | --- | --- | --- | --- | --- | --- |']
    for name, (lines, reached, ways, taken) in _files(counts):
        rows.append(f'| `{name}` | {lines} | {outside[name]} | {reached} | {share(reached, lines - outside[name])} '
                    f'| {ways} | {taken} | {share(taken, ways)} |')
    rows += ['', '### Functions that no test reaches', '', '| function | file | lines | why |', '| --- | --- | --- | --- |']
    rows += [f'| `{function.name}` | `{function.file}` | {counts.of(function)[0]} | {reasons.get(function.name, "not tried yet")} |'
             for function in sorted(counts.functions.values(), key=lambda f: (f.file, f.first)) if not function.runs]
    rows += ['', '### Functions with lines that no test reaches', '',
             'The table lists the functions with at least three such lines.', '', '| function | file | lines | not reached |', '| --- | --- | --- | --- |']
    partly = [(function, *counts.of(function)) for function in counts.functions.values() if function.runs]
    rows += [f'| `{function.name}` | `{function.file}` | {lines} | {lines - reached} |'
             for function, lines, reached in sorted(partly, key=lambda row: (row[2] - row[1], row[0].name)) if lines - reached >= 3]
    return '\n'.join(rows) + '\n'


def plain_table(counts):
    """Returns the page's generated part about uverbs: its files, and the functions that no test reaches."""
    lines, reached, ways, taken = _total(counts)
    rows = [f'The tests reach {share(reached, lines)} of the lines of uverbs ({reached} of {lines}), and {share(taken, ways)} of the branches.', '',
            '| file | lines | reached | share | branches | taken | share |', '| --- | --- | --- | --- | --- | --- | --- |']
    rows += [f'| `{name}` | {lines} | {reached} | {share(reached, lines)} | {ways} | {taken} | {share(taken, ways)} |'
             for name, (lines, reached, ways, taken) in _files(counts)]
    missed = collections.defaultdict(list)
    for function in sorted(counts.functions.values(), key=lambda f: (f.file, f.first)):
        if not function.runs:
            missed[function.file].append(f'`{function.name}`')
    rows += ['', 'Functions of uverbs that no test reaches:', '']
    rows += [f'- `{name}`: {", ".join(functions)}' for name, functions in missed.items()]
    return '\n'.join(rows) + '\n'


def _files(counts):
    """Yields each file with the numbers of lines, reached lines, branches, and taken branches."""
    for name in sorted(counts.lines):
        yield name, (*_sum(counts.lines[name].values()), *_sum(counts.branches[name].values()))


def _total(counts):
    return [sum(column) for column in zip(*(row for _, row in _files(counts)))]


def _sum(counts):
    counts = list(counts)
    return len(counts), sum(count > 0 for count in counts)


def share(some, all_of_them):
    return f'{100 * some / all_of_them:.1f} %' if all_of_them else '–'
