# SPDX-License-Identifier: Apache-2.0
"""The table in docs/performance.md that compares C and Java: a row per case, with the columns of each kind of machine side by side.

The page is the only copy of the figures. An update replaces the figures of one kind of machine, and keeps all others.
"""
import math
import re
from dataclasses import dataclass, field
from statistics import median

USER_MODE, EMULATED = 'user-mode Linux', 'emulated'
COLUMNS = 'C', 'Java', 'ratio', 'all boots (number)', 'CPU'
EMPTY = ('–',) * len(COLUMNS)


@dataclass
class Figures:
    """The figures of one kind of machine."""

    about: str = ''  # the kernel, and the conditions of the measurement of messages
    cells: dict = field(default_factory=dict)  # {(case, unit): a text per column}
    notes: dict = field(default_factory=dict)  # {label: {case: text}}


def is_of_messages(case):
    """Returns whether a case belongs to the comparison of messages, and not to --started or --connections."""
    return not re.search(', just started$|^connection$', case)


def cells(c, java, ratios, processor=math.nan, spread=False):
    """Returns the cells of a case.

    :param ratios: Java's time by C's time in each boot
    :param processor: ratio of processor time, or NaN"""
    return (_short(c), _short(java), f'{median(ratios):.2f}',
            f'{min(ratios):.2f} to {max(ratios):.2f} ({len(ratios)})' + (', spread' if spread else ''),
            '–' if math.isnan(processor) else f'{processor:.2f}')


def _short(figure):
    return f'{figure:.1f}' if figure < 100 else f'{figure:.0f}'


def text(machines):
    """Returns the table in Markdown, and the notes below it.

    :param machines: {kind of machine: Figures}"""
    heads = [head for name in machines for head in (f'{name}: {COLUMNS[0]}', *COLUMNS[1:])]
    lines = ['| | unit | ' + ' | '.join(heads) + ' |', '| --- |' + ' --- |' * (1 + len(heads))]
    for case, unit in dict.fromkeys(row for figures in machines.values() for row in figures.cells):
        found = [cell for figures in machines.values() for cell in figures.cells.get((case, unit), EMPTY)]
        lines.append('| ' + ' | '.join((case, unit, *found)) + ' |')
    lines.append('')
    for name, figures in machines.items():
        lines.append(f'- **{name}**: {figures.about}')
        lines += [f'  - {label}: ' + '; '.join(f'*{case}* {note}' for case, note in notes.items())
                  for label, notes in figures.notes.items() if notes]
    return '\n'.join(lines) + '\n'


def parse(page):
    """Returns {kind of machine: Figures} of a table and its notes."""
    rows = [[cell.strip() for cell in line[1:-1].split('|')] for line in page.splitlines() if line.startswith('|')]
    names = [cell.removesuffix(': C') for cell in rows[0][2::len(COLUMNS)]] if rows else []
    machines = {name: Figures() for name in names}
    for case, unit, *found in rows[2:]:
        for name in names:
            machines[name].cells[case, unit], found = tuple(found[:len(COLUMNS)]), found[len(COLUMNS):]
    figures = None
    for line in page.splitlines():
        if match := re.fullmatch(r'- \*\*(.+?)\*\*: (.*)', line):
            figures = machines[match[1]]
            figures.about = match[2]
        elif match := re.fullmatch(r'  - (.+?): (\*.+)', line):
            figures.notes[match[1]] = dict(re.fullmatch(r'\*(.+?)\* (.+)', note).groups() for note in match[2].split('; '))
    return machines


def updated(page, name, new):
    """Returns a page's figures with new ones of a kind of machine. Cases without new figures keep the old ones.

    :param new: Figures; the line about the machine replaces the old one if no old figures of messages remain"""
    machines, measured = parse(page), {case for case, _ in new.cells}
    old = machines.setdefault(name, Figures())
    rows = list(dict.fromkeys(row for figures in machines.values() for row in figures.cells))
    for before, row in zip([None, *new.cells], new.cells):
        if row not in rows:
            rows.insert(rows.index(before) + 1 if before else len(rows), row)
    kept = {row: each for row, each in old.cells.items() if row[0] not in measured and each != EMPTY}
    if not any(is_of_messages(case) for case, _ in kept):
        old.about = new.about or old.about
    old.cells = kept | new.cells
    old.notes = {label: {case: note for case, note in old.notes.get(label, {}).items() if case not in measured}
                 | new.notes.get(label, {}) for label in dict.fromkeys((*old.notes, *new.notes))}
    rows = [row for row in rows if any(figures.cells.get(row, EMPTY) != EMPTY for figures in machines.values())]
    for figures in machines.values():
        figures.cells = {row: figures.cells.get(row, EMPTY) for row in rows}
    return machines


def ratios(figures):
    """Returns {case: [ratio, lowest ratio, highest ratio]}."""
    found = {case: [float(each) for each in re.findall(r'\d+\.\d+', f'{row[2]} {row[3]}')] for (case, _), row in figures.cells.items()}
    return {case: each for case, each in found.items() if each}
