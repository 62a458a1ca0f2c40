# SPDX-License-Identifier: Apache-2.0
"""Measurements in several boots, and their table: the median of each boot's medians, and the range over the boots."""
import csv
import io
import os
from statistics import median

from . import awake, guest
from .say import progress

LANGUAGES = 'C', 'Java'


def run(settings, count, command, report):
    """Runs a command in several guests in turn, until one fails, and reports the guests like run_each()."""
    return run_each(settings, count, lambda done: command if len(done) < count else None, report)


def run_each(settings, count, next_command, report):
    """Runs commands, each in a guest, until one fails, or there is no next command. Returns the exit code of the last guest or of
    the report.

    :param count: number of the commands that are known to come
    :param next_command: returns the next command, given the previous guests
    :param report: gets all guests at the end, also after an error; the exit code of a guest that did not finish is not 0"""
    done = []
    try:
        with awake.processors():
            while command := next_command(done):
                if count > 1:
                    progress(f'boot {len(done) + 1}' + (f' of {count}' if len(done) < count else ', of cases whose boots differ'))
                done.append(guest.prepare(settings, command))
                done[-1].load = os.getloadavg()[0]
                if guest.boot(done[-1]).code:
                    break
    finally:
        code = report(done) or 0
    return done[-1].code or code


def finished(done, name):
    """Returns the tables of this name of the guests that finished."""
    return [(each.results / name).read_text() for each in done if each.code == 0]


def _medians(text, summed):
    """Returns each language's microseconds per column, as the median of one boot's rounds; 'all' is that of their sums."""
    rows = list(csv.reader(io.StringIO(text)))
    columns, found = rows[0][2:], {}
    for language in LANGUAGES:
        rounds = [list(map(float, row[2:])) for row in rows[1:] if row[0] == language]
        found[language] = {column: median(each[i] for each in rounds) for i, column in enumerate(columns)}
        if summed:
            found[language]['all'] = median(map(sum, rounds))
    return found


def compared(texts, summed=False):
    """Returns {column: (C's median, Java's median, ratio of each boot)} of boots.

    :param texts: the boots, each as a table whose columns are language, round, and times
    :param summed: whether the columns add up to a total"""
    boots = [_medians(text, summed) for text in texts]
    return {column: (*(median(boot[language][column] for boot in boots) for language in LANGUAGES),
                     [boot['Java'][column] / boot['C'][column] for boot in boots]) for column in boots[0]['C']}


def table(found, unit):
    """Returns a table of compared boots.

    :param unit: the unit of the times"""
    lines = ['', f'{unit}, median of {len(next(iter(found.values()))[2])} boots', f'{"":<13}{"C":>10}{"Java":>10}{"ratio":>8}  boots']
    for column, (c, java, ratios) in found.items():
        lines.append(f'{column:<13}{c:>10.1f}{java:>10.1f}{median(ratios):>8.2f}  {min(ratios):.2f} to {max(ratios):.2f}')
    return '\n'.join(lines)
