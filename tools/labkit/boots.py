# SPDX-License-Identifier: Apache-2.0
"""The cost of connections over several boots: the median of each boot's medians, and how far the boots are apart."""
import csv
import io
from statistics import median

LANGUAGES = 'C', 'Java'


def _medians(text):
    """Returns each language's microseconds a step, the median of the rounds of one boot; 'all' is that of their sums."""
    rows = list(csv.reader(io.StringIO(text)))
    steps, found = rows[0][2:], {}
    for language in LANGUAGES:
        rounds = [list(map(float, row[2:])) for row in rows[1:] if row[0] == language]
        found[language] = {step: median(each[i] for each in rounds) for i, step in enumerate(steps)}
        found[language]['all'] = median(map(sum, rounds))
    return found


def table(texts):
    """Returns a table of boots, each given as the text of its connections.csv."""
    boots = [_medians(text) for text in texts]
    lines = ['', f'µs a connection, median of {len(boots)} boots', f'{"":<13}{"C":>10}{"Java":>10}{"ratio":>8}  boots']
    for step in boots[0]['C']:
        c, java = (median(boot[language][step] for boot in boots) for language in LANGUAGES)
        ratios = [boot['Java'][step] / boot['C'][step] for boot in boots]
        lines.append(f'{step:<13}{c:>10.1f}{java:>10.1f}{median(ratios):>8.2f}  {min(ratios):.2f} to {max(ratios):.2f}')
    return '\n'.join(lines)
