# SPDX-License-Identifier: Apache-2.0
"""Instructions, system calls and blocks of code that C and Java execute for a message, from what a plugin of QEMU has counted.

What a case's run with the fewest messages took is taken off its long run: starting, connecting and reporting cost the same in
both. The path that a message takes through the programs are the blocks that run for it once or a few times. One that runs more
often is part of a loop that waits, for as long as the other end takes, and is counted by itself; one that runs for few of the
messages belongs to something else, such as Java's compiler.
"""
import csv
from collections import defaultdict
from dataclasses import dataclass

# Both ends' loops over a message run once or twice for it; loops that wait run tens and hundreds of times.
MOST_RUNS = 8
OFTEN = 0.5
PAGE = 12


@dataclass(frozen=True)
class Cost:
    """Cost of a message, of both ends together."""

    path: float  # instructions of the programs, without the loops that wait
    waiting: float  # instructions of these loops
    kernel: float
    system_calls: float
    blocks: int  # that run for every second message at least
    pages: int  # that these lie in


def of(results):
    """Returns {case: {language: Cost}} of a guest's results."""
    runs = defaultdict(dict)
    with open(results / 'runs.csv', encoding='utf-8') as file:
        for row in csv.DictReader(file):
            # Of several runs with the same number of messages the last counts: the code is compiled by then.
            runs[row['case'], row['language']][int(row['messages'])] = row['mark']
    found = {}
    for (case, language), marks in runs.items():
        few, many = min(marks), max(marks)
        if few < many:
            found.setdefault(case, {})[language] = cost(read(results / f'{marks[few]}.tsv'), read(results / f'{marks[many]}.tsv'),
                                                        many - few)
    return found


def read(file):
    """Returns the totals of a run, and {(address, hash): (instructions, runs)} of its blocks."""
    with open(file, encoding='ascii') as lines:
        totals = tuple(map(int, next(lines).split()[1:]))
        blocks = {}
        for line in lines:
            address, instructions, code, runs = line.split()
            key = int(address, 16), code
            # The same code may have been translated more than once.
            blocks[key] = int(instructions), blocks.get(key, (0, 0))[1] + int(runs)
    return totals, blocks


def cost(few, many, messages):
    """Returns the cost of a message, from a run with few and one with so many more of them."""
    (few_totals, few_blocks), (totals, blocks) = few, many
    path, waiting, often = 0, 0, set()
    for key, (instructions, runs) in blocks.items():
        rate = (runs - few_blocks.get(key, (0, 0))[1]) / messages
        if rate < OFTEN:
            continue
        often.add(key)
        if rate > MOST_RUNS:
            waiting += instructions * rate
        else:
            path += instructions * rate
    _, kernel, system_calls = ((after - before) / messages for after, before in zip(totals, few_totals))
    return Cost(path, waiting, kernel, system_calls, len(often), len({address >> PAGE for address, _ in often}))


COLUMNS = {
    'path': ('instructions', '{:.0f}'), 'blocks': ('blocks', '{}'), 'pages': ('pages', '{}'), 'system_calls': ('system calls', '{:.2f}'),
    'waiting': ('waiting', '{:.0f}'), 'kernel': ('kernel', '{:.0f}'),
}


def table(found):
    """Returns the table in Markdown."""
    lines = ['| | ' + ' | '.join(f'{head}: C | Java' for head, _ in COLUMNS.values()) + ' |', '| --- |' + ' --- |' * 2 * len(COLUMNS)]
    for case, languages in found.items():
        if len(languages) == 2:
            cells = [form.format(getattr(languages[language], name)) for name, (_, form) in COLUMNS.items()
                     for language in ('C', 'Java')]
            lines.append(f'| {case} | ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines) + '\n'
