# SPDX-License-Identifier: Apache-2.0
"""Lines of rxe that the device tests ran through, from the counts of user-mode Linux built for gcov."""
import collections
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from . import places
from .say import LabError

RXE = 'drivers/infiniband/sw/rxe'
OUT_OF_REACH = places.GUEST_FILES / 'rxe-out-of-reach.txt'


@dataclass
class Function:
    file: str
    name: str
    first: int
    last: int
    runs: int = 0


@dataclass
class Counts:
    """The lines of rxe's files with how often each ran, and its functions."""
    lines: dict = field(default_factory=lambda: collections.defaultdict(collections.Counter))
    functions: dict = field(default_factory=dict)

    def add(self, report):
        """Adds a file's report: a header's lines are in those of all files that include it."""
        for file in report['files']:
            if f'{RXE}/' not in file['file']:
                continue
            name = Path(file['file']).name
            for line in file['lines']:
                self.lines[name][line['line_number']] += line['count']
            for function in file['functions']:
                key = name, function['name']
                known = self.functions.setdefault(key, Function(*key, function['start_line'], function['end_line']))
                known.runs += function['execution_count']

    def of(self, function):
        """Returns how many lines a function has, and how many of them ran."""
        counts = [count for number, count in self.lines[function.file].items() if function.first <= number <= function.last]
        return len(counts), sum(count > 0 for count in counts)


def read(source, results):
    """Returns what gcov makes of the counts below a folder of results, with the notes and the source of the build."""
    counts = Counts()
    for data in sorted((results / 'gcov' / RXE).glob('*.gcda')):
        notes = source / RXE / f'{data.stem}.gcno'
        # gcov looks for the counts beside the notes.
        folder = places.scratch()
        (folder / notes.name).write_bytes(notes.read_bytes())
        (folder / data.name).write_bytes(data.read_bytes())
        done = subprocess.run(['gcov', '--stdout', '--json-format', folder / data.name], text=True, cwd=source, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise LabError(f'gcov cannot read {data.name}: {done.stderr.strip()}')
        for line in filter(None, done.stdout.splitlines()):
            counts.add(json.loads(line))
    if not counts.functions:
        raise LabError(f'{places.short(results)} has no counts: the guest was no uml-gcov, or did not come to its end')
    return counts


def out_of_reach(text):
    """Returns the functions that no user program can make run, each with the reason. A line: FUNCTION  REASON."""
    rows = [line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith('#')]
    return {name: reason for name, reason in rows}


def table(counts, reasons, release, tests):
    """Returns the page's generated part."""
    stale = sorted(name for name in reasons if not any(name == function.name for function in counts.functions.values()))
    run = sorted({function.name for function in counts.functions.values() if function.name in reasons and function.runs})
    if run or stale:
        raise LabError(f'{places.short(OUT_OF_REACH)} is wrong: ran: {" ".join(run) or "none"}; no function of rxe: {" ".join(stale) or "none"}')
    files = collections.defaultdict(lambda: [0, 0, 0])
    for name, lines in counts.lines.items():
        files[name][0] += len(lines)
        files[name][1] += sum(count > 0 for count in lines.values())
    for function in counts.functions.values():
        if function.name in reasons:
            files[function.file][2] += counts.of(function)[0]
    total = [sum(column) for column in zip(*files.values())]
    rows = [f'Linux {release}, {tests} device tests: **{share(total)} of the lines that a user program can reach** '
            f'({total[1]} of {total[0] - total[2]}; {total[2]} more are out of reach).', '',
            '| file | lines | out of reach | reached | share |', '| --- | --- | --- | --- | --- |']
    rows += [f'| `{name}` | {row[0]} | {row[2]} | {row[1]} | {share(row)} |' for name, row in sorted(files.items())]
    rows += ['', '### Functions that no test reaches', '', '| function | file | lines | why |', '| --- | --- | --- | --- |']
    rows += [f'| `{function.name}` | `{function.file}` | {counts.of(function)[0]} | {reasons.get(function.name, "not tried yet")} |'
             for function in sorted(counts.functions.values(), key=lambda f: (f.file, f.first)) if not function.runs]
    rows += ['', '### Functions with lines that no test reaches', '', '| function | file | lines | not reached |', '| --- | --- | --- | --- |']
    partly = [(function, *counts.of(function)) for function in counts.functions.values() if function.runs]
    rows += [f'| `{function.name}` | `{function.file}` | {lines} | {lines - reached} |'
             for function, lines, reached in sorted(partly, key=lambda row: (row[2] - row[1], row[0].name)) if lines - reached >= 5]
    return '\n'.join(rows) + '\n'


def share(row):
    reachable = row[0] - row[2]
    return f'{100 * row[1] / reachable:.1f} %' if reachable else '–'
