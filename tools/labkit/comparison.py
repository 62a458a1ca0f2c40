# SPDX-License-Identifier: Apache-2.0
"""The comparison of messages in C and Java over several boots: its cases, their figures, and a picture.

Only medians count: the median over the rounds of a boot, and the median of the boots. All boots count, so one lucky or unlucky
boot changes no figure.
"""
import csv
import io
import math
from collections import Counter, defaultdict
from statistics import median, quantiles

from . import speedtable, svg

MAX_SPREAD = 0.15  # of the ratios' middle half, as a part of their median
MAX_COMPILING = 0.05  # of the time of a run; the warm-up ends below it
COLOUR = '#d95f02'
ROW, LEFT, WIDTH = 18, 190, 780


class Case:
    """A case in all boots, of which each has the medians of its rounds."""

    def __init__(self, unit):
        self.unit = unit
        self.boots = []
        self.failures = Counter()

    def of(self, column):
        """Returns the median of the boots; NaN if there is none."""
        figures = [boot[column] for boot in self.boots if not math.isnan(boot[column])]
        return median(figures) if figures else math.nan

    @property
    def ratios(self):
        """Java's time by C's time in each boot, also if the unit is a rate."""
        return [boot['java'] / boot['c'] if 'µs' in self.unit else boot['c'] / boot['java'] for boot in self.boots]

    @property
    def spread(self):
        """How far the middle half of the boots' ratios extends, as a part of their median."""
        if len(self.boots) < 2:
            return 0
        low, middle, high = quantiles(self.ratios, n=4, method='inclusive')
        return (high - low) / middle


def of(texts):
    """Returns {case: Case} of boots, each given as the text of its rounds.csv, in the order of the first boot.

    A case without a complete round has no boots."""
    cases = {}
    for text in texts:
        rounds = defaultdict(list)
        for row in csv.DictReader(io.StringIO(text)):
            case = cases.setdefault(row['case'], Case(row['unit']))
            figures = {column: float(value) for column, value in row.items() if column not in ('case', 'unit', 'round')}
            failed = [language for language, column in (('C', 'c'), ('Java', 'java')) if math.isnan(figures[column])]
            case.failures.update(failed)
            if not failed:
                rounds[row['case']].append(figures)
        for name, each in rounds.items():
            cases[name].boots.append({column: median(figures[column] for figures in each) for column in each[0]})
    return cases


def unsettled(cases):
    """Returns the names of the cases whose boots differ too much."""
    return [name for name, case in cases.items() if case.spread > MAX_SPREAD]


def figures(release, cases, machines, loads):
    """Returns the Figures of one kind of machine.

    :param machines: texts of machine.csv, which contain the machine's speed before each case
    :param loads: the number of processes of this machine that wanted to run, before each boot"""
    speeds = [row for text in machines for row in csv.DictReader(io.StringIO(text))]
    speed = '; '.join(f'{name} {_range([float(row[column]) for row in speeds], 2)} ns'
                      for name, column in (('a multiplication and an addition', 'loop_ns'), ('a read of a random cache line', 'memory_ns')))
    found = speedtable.Figures(f'Linux {release}; {speed}; load before the boots {_range(loads, 1)}', notes=_notes(cases))
    for name, case in cases.items():
        c, java = (positive(case.of(column)) for column in ('c_cpu', 'java_cpu'))
        found.cells[name, case.unit] = speedtable.cells(case.of('c'), case.of('java'), case.ratios, java / c, case.spread > MAX_SPREAD)
    return found


def _notes(cases):
    return {
        'failed runs': {name: ', '.join(f'{count} of {language}' for language, count in case.failures.items())
                        for name, case in cases.items() if case.failures},
        "share of the time in which the JVM's compilers worked": {
            name: f"{100 * case.of('compiling'):.0f} %" for name, case in cases.items() if case.of('compiling') > MAX_COMPILING},
        'medians of single messages, with a clock read for each, in µs, C and Java': {
            name: f"{case.of('c_median'):.1f} and {case.of('java_median'):.1f}" for name, case in cases.items()
            if not math.isnan(case.of('c_median'))},
    }


def positive(figure):
    """A difference of two measurements is only reported if it is positive."""
    return figure if figure > 0 else math.nan


def _range(figures, digits):
    low, middle, high = (f'{each:.{digits}f}' for each in (min(figures), median(figures), max(figures)))
    return middle if low == high else f'{middle} ({low} to {high})'


def picture(ratios):
    """Returns a row for each case: the median of its ratios as a dot, and their range as a line."""
    low = min(0.8, *(min(each) for each in ratios.values()))
    high = max(1.2, *(max(each) for each in ratios.values()))
    height = 50 + ROW * len(ratios)

    def x(ratio):
        return LEFT + (ratio - low) * (WIDTH - LEFT - 60) / (high - low)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="#fff"/>',
             svg.text(LEFT, 14, 'start', 'Java / C: left of the line Java is faster; dot: median, bar: all boots')]
    step = 2 if high - low > 1 else 1
    for tenth in range(math.ceil(low * 10), math.floor(high * 10) + 1):
        if (tenth - 10) % step == 0:
            colour, width = ('#000', 1.5) if tenth == 10 else ('#ddd', 1)
            lines += [f'<line x1="{x(tenth / 10):.1f}" x2="{x(tenth / 10):.1f}" y1="24" y2="{height - 22}" stroke="{colour}" '
                      f'stroke-width="{width}"/>', svg.text(x(tenth / 10), height - 8, 'middle', f'{tenth / 10:.1f}')]
    for row, (name, each) in enumerate(ratios.items(), 1):
        y, middle = 24 + ROW * row, median(each)
        lines += [svg.text(LEFT - 10, y, 'end', name),
                  f'<line x1="{x(min(each)):.1f}" x2="{x(max(each)):.1f}" y1="{y - 4}" y2="{y - 4}" stroke="{COLOUR}" stroke-width="5" '
                  'stroke-opacity=".35"/>', f'<circle cx="{x(middle):.1f}" cy="{y - 4}" r="4" fill="{COLOUR}"/>',
                  svg.text(WIDTH - 6, y, 'end', f'{middle:.2f}')]
    return '\n'.join([*lines, '</svg>', ''])
