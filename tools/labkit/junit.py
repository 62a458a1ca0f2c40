# SPDX-License-Identifier: Apache-2.0
"""Sums up JUnit's XML reports (of Surefire, and of JUnit's console launcher)."""
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field


@dataclass
class Sum:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    failures: list = field(default_factory=list)  # class#method of each failed test


def sum_up(reports):
    """Returns the sum of some report files; empty ones are left out."""
    total = Sum()
    for report in reports:
        if report.stat().st_size:
            try:
                _add(total, report)
            except xml.ParseError as e:
                total.failed += 1
                total.failures.append(f'{report.name}: cannot be read: {e}')
    return total


def _add(total, report):
    # Piece by piece: a report holds all that its tests have printed.
    for _, element in xml.iterparse(report):
        if element.tag == 'testsuite':
            total.seconds += float(element.get('time', '0').replace(',', ''))
        # Counted one by one: some versions of Surefire write wrong sums for nested classes.
        elif element.tag == 'testcase':
            kinds = {child.tag for child in element}
            if kinds & {'failure', 'error'}:
                total.failed += 1
                name = element.get('name', '').removesuffix('()')
                total.failures.append(f"{element.get('classname')}#{name}")
            elif 'skipped' in kinds:
                total.skipped += 1
            else:
                total.passed += 1
            element.clear()
