# SPDX-License-Identifier: Apache-2.0
"""Sums up JUnit's XML reports (of Surefire, and of JUnit's console launcher)."""
import re
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field

LONGEST_REASON = 400  # characters
LONGEST_DETAIL = 40  # lines
FAILED = {'failure', 'error'}
UNSTABLE = {'flakyFailure', 'flakyError'}  # of a test that Surefire has run again, and that passed then


@dataclass
class Failure:
    """A failure of a named test in a report, or another failure without a name."""

    name: str
    reason: str
    detail: str = ''  # the exception or output of the test, as in the report

    def __str__(self):
        return ': '.join(filter(None, (self.name, self.reason)))

    def test(self):
        """Returns CLASS#METHOD as --tests accepts it: the outer class, and no arguments of a parameterized test."""
        match = re.match(r'(?:.*?[.])?(\w+)(?:\$\w+)*(#\w+)', self.name)
        return match[1] + match[2] if match else ''


@dataclass
class Sum:
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    seconds: float = 0.0
    failures: list = field(default_factory=list)  # of Failure
    unstable: list = field(default_factory=list)  # of Failure: tests that passed when run again


def sum_up(reports):
    """Returns the sum of some report files. Empty ones are ignored."""
    total = Sum()
    for report in reports:
        if report.stat().st_size:
            try:
                _add(total, report)
            except xml.ParseError as e:
                total.failed += 1
                total.failures.append(Failure('', f'{report.name}: cannot be read: {e}'))
    return total


def _add(total, report):
    # Parsed incrementally, because a report contains all output of its tests.
    for _, element in xml.iterparse(report):
        if element.tag == 'testsuite':
            total.seconds += float(element.get('time', '0').replace(',', ''))
        # Counted individually, because some versions of Surefire write wrong sums for nested classes.
        elif element.tag == 'testcase':
            kinds = {child.tag for child in element}
            name = f"{element.get('classname')}#{element.get('name', '').removesuffix('()')}"
            if kinds & FAILED:
                total.failed += 1
                total.failures.append(Failure(name, _reason(element, FAILED), _thrown(element, FAILED)))
            elif 'skipped' in kinds:
                total.skipped += 1
            else:
                total.passed += 1
            if kinds & UNSTABLE:
                total.unstable.append(Failure(name, _reason(element, UNSTABLE)))
            element.clear()


def _reason(test, kinds):
    """Returns the first lines of a test's failure, short enough for a summary. Long outputs are cut in the middle."""
    return ' '.join(_thrown(test, kinds).split())[:LONGEST_REASON]


def _thrown(test, kinds):
    for child in test:
        if child.tag in kinds:
            texts = child.text, child.findtext('stackTrace'), child.get('message')
            words = next((text for text in texts if text and text.strip()), '')
            return '\n'.join(words.strip().splitlines()[:LONGEST_DETAIL])
    return ''
