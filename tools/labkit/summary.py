# SPDX-License-Identifier: Apache-2.0
"""The summary of a test run: a row for each part, the failed tests, and the sum as the last line."""
import threading
from dataclasses import dataclass, field

from . import junit
from .say import plain


@dataclass
class Part:
    name: str
    order: int
    sum: junit.Sum = field(default_factory=junit.Sum)


class Summary:
    def __init__(self, pattern):
        self._pattern = pattern
        self._parts = []
        self._lock = threading.Lock()

    def add(self, order, name, sums):
        """Adds a part; parts are shown in their order, whichever ended first."""
        with self._lock:
            self._parts.append(Part(name, order, sums))

    def add_reports(self, order, name, reports, code=0):
        """Adds a part from the reports of its tests and the exit code of what ran them."""
        self.add(order, name, self.judge(reports, code))

    def judge(self, reports, code=0, begun=None):
        """Sums up reports; `begun` is a file that lists the tests that began."""
        reports = [report for report in reports if report.exists() and report.stat().st_size]
        sums = junit.sum_up(reports)

        def fail(why):
            sums.failed += 1
            sums.failures.append(junit.Failure('', why))
        # A part that broke off has failed, whatever its reports say; so has one that tested nothing, unless that was asked for.
        if not reports and code != 0:
            fail(f'no report (exit code {code}){_last(begun)}')
        elif sums.passed + sums.failed + sums.skipped == 0 and not self._pattern:
            fail('no test was run')
        elif code != 0 and sums.failed == 0:
            fail(f'the guest ended with exit code {code}, though no test failed')
        return sums

    def print(self):
        """Prints the summary and returns the exit code."""
        parts = [(part.name, part.sum) for part in sorted(self._parts, key=lambda part: part.order)]
        plain(f"\n{'part':<14} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>9}")
        for name, sums in parts:
            plain(f'{name:<14} {sums.passed:7} {sums.failed:7} {sums.skipped:8} {sums.seconds:9.1f}')
        passed, failed, skipped = (sum(getattr(sums, what) for _, sums in parts) for what in ('passed', 'failed', 'skipped'))
        failures = [f'{name}: {failure}' for name, sums in parts for failure in sums.failures]
        unstable = [f'{name}: {failure}' for name, sums in parts for failure in sums.unstable]
        if passed + failed == 0:
            failed = 1
            failures.append('no test was run' + (f': nothing matches {self._pattern}' if self._pattern else ''))
        for title, lines in (('failed at first, and passed when run again', unstable), ('failed', failures)):
            if lines:
                plain(f'\n{title}:')
            for line in lines:
                plain(f'  {line}')
        plain(f'\n{passed} passed, {failed} failed, {skipped} skipped')
        return 1 if failures else 0


def _last(begun):
    """Names the last test that began, which most likely is the one that hung."""
    lines = begun.read_text(errors='replace').splitlines() if begun and begun.exists() else []
    return '; the last test to begin: ' + lines[-1].removeprefix('JUnit Jupiter > ').removesuffix(' :: STARTED') if lines else ''
