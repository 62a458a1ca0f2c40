# SPDX-License-Identifier: Apache-2.0
"""The cost of objects by their number, over several boots: a table, and curves of C and Java."""
import csv
import io
import math
from collections import defaultdict
from statistics import median

from . import svg

LANGUAGES = {'C': '#1f77b4', 'Java': '#d95f02'}
KINDS = {'queue-pairs': 'queue pairs', 'regions': 'memory regions', 'connections': 'connections', 'threads': 'threads'}
# Heading, divisor of the figure, and its unit for each kind; None if a kind lacks the figure.
COLUMNS = {
    'create': ('create, µs', 1e3), 'destroy': ('destroy, µs', 1e3), 'bytes': ('KiB', 1024), 'use': ('use, µs', 1e3),
}
MANY = 1000  # objects
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 330, 220, 52, 12, 30, 34


def medians(texts):
    """Returns {kind: {count: {language: {column: figure}}}}: the median over boots of each boot's median over rounds."""
    boots = defaultdict(list)
    for text in texts:
        rounds = defaultdict(list)
        for row in csv.DictReader(io.StringIO(text)):
            for column in COLUMNS:
                rounds[row['kind'], int(row['count']), row['language'], column].append(float(row[column]))
        for key, figures in rounds.items():
            boots[key].append(median(figures))
    found = {}
    for (kind, count, language, column), figures in boots.items():
        found.setdefault(kind, {}).setdefault(count, {}).setdefault(language, {})[column] = \
            median(figures) / COLUMNS[column][1]
    return found


def table(found):
    """Returns the table in Markdown: for each figure the values of C and Java, and their ratio.

    Contains numbers of objects from MANY on, and the largest number of each kind. The picture shows all."""
    heads = [head for head, _ in COLUMNS.values()]
    lines = ['| | ' + ' | '.join(f'{head}: C | Java | ratio' for head in heads) + ' |', '| --- |' + ' --- |' * 3 * len(heads)]
    for kind, counts in found.items():
        for count, figures in sorted((count, each) for count, each in counts.items() if count >= MANY or count == max(counts)):
            cells = [f'{count} {KINDS[kind]}']
            for column in COLUMNS:
                c, java = figures['C'][column], figures['Java'][column]
                small = column == 'bytes' and count < 100  # a page more or less
                cells += ['–'] * 3 if small or c <= 0 or java <= 0 else [_short(c), _short(java), f'{java / c:.2f}']
            lines.append('| ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines) + '\n'


def _short(figure):
    return f'{figure:.2f}' if figure < 1 else f'{figure:.1f}' if figure < 100 else f'{figure:.0f}'


def curves(found):
    """Returns one picture: a row of curves for each kind, both axes logarithmic."""
    panels = []
    for row, (kind, counts) in enumerate(found.items()):
        for column, key in enumerate(COLUMNS):
            points = {language: [(count, figures[language][key]) for count, figures in sorted(counts.items())
                                 if figures[language][key] > 0 and not (key == 'bytes' and count < 100)]
                      for language in LANGUAGES}
            if all(len(each) > 1 for each in points.values()):
                panels.append(f'<g transform="translate({column * WIDTH},{row * HEIGHT})">\n'
                              f'{_panel(f"{KINDS[kind]}: {COLUMNS[key][0]}", points)}</g>\n')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * len(COLUMNS)} {HEIGHT * len(found)}" '
            'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="#fff"/>\n'
            f'{"".join(panels)}</svg>\n')


def _panel(title, points):
    figures = [figure for each in points.values() for _, figure in each]
    counts = [count for each in points.values() for count, _ in each]
    low, high = math.floor(math.log10(min(figures))), math.ceil(math.log10(max(figures)))
    high = max(high, low + 1)
    first, last = math.log10(min(counts)), math.log10(max(counts))

    def place(count, figure):
        return (LEFT + (math.log10(count) - first) / (last - first) * (WIDTH - LEFT - RIGHT),
                HEIGHT - BOTTOM - (math.log10(figure) - low) / (high - low) * (HEIGHT - TOP - BOTTOM))

    lines = [svg.text(LEFT, 16, 'start', title)]
    for power in range(low, high + 1):
        y = place(min(counts), 10 ** power)[1]
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(svg.text(LEFT - 6, y + 4, 'end', f'{10.0 ** power:g}'))
    for count in sorted(set(counts)):
        lines.append(svg.text(place(count, 10 ** low)[0], HEIGHT - BOTTOM + 16, 'middle', f'{count}'))
    for at, (language, colour) in enumerate(LANGUAGES.items()):
        places = [place(*each) for each in points[language]]
        path = ' '.join(f'{x:.1f},{y:.1f}' for x, y in places)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}"/>')
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in places]
        lines.append(svg.text(WIDTH - RIGHT - 60 + 30 * at, 16, 'start', f'● {language}', colour))
    return '\n'.join(lines) + '\n'
