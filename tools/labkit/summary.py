# SPDX-License-Identifier: Apache-2.0
"""The summary of a test run: a row for each part, the failed tests, and the totals in the last line."""
import threading

from . import junit
from .say import plain


HEAD = f"{'part':<14} {'passed':>7} {'failed':>7} {'skipped':>8} {'seconds':>9}"


def print_lines(lines):
    for line in lines:
        plain(line)


class Summary:
    """Shows each finished part with its failures in full, and finally the failed tests and the totals."""

    def __init__(self, pattern, show=print_lines):
        self._pattern = pattern
        self._show = show
        self._parts = []
        self._left_out = []
        self._lock = threading.Lock()

    def add(self, name, sums):
        """Adds a part, and shows it."""
        with self._lock:
            lines = [] if self._parts else [HEAD]
            self._parts.append((name, sums))
        lines.append(f'{name:<14} {sums.passed:7} {sums.failed:7} {sums.skipped:8} {sums.seconds:9.1f}')
        for failure in sums.failures:
            lines += [f'  {failure.name or name}', *(f'    {line}' for line in (failure.detail or failure.reason).splitlines())]
        self._show(lines)

    def leave_out(self, counts, hint):
        """Records the numbers of left-out tests, and why."""
        self._left_out = [f'left out: {", ".join(counts)}', f'  {hint}']

    def add_reports(self, name, reports, code=0):
        """Adds a part, from the reports of its tests and the exit code of their program."""
        self.add(name, self.judge(reports, code))

    def judge(self, reports, code=0, begun=None):
        """Sums up reports; `begun` is a file with the started tests."""
        reports = [report for report in reports if report.exists() and report.stat().st_size]
        sums = junit.sum_up(reports)

        def fail(why):
            sums.failed += 1
            sums.failures.append(junit.Failure('', why))
        # A part that broke off has failed, regardless of its reports. So has a part without tests, unless that was requested.
        if not reports and code != 0:
            fail(f'no report (exit code {code}){_last(begun)}')
        elif sums.passed + sums.failed + sums.skipped == 0 and not self._pattern:
            fail('no test was run')
        elif code != 0 and sums.failed == 0:
            fail(f'the guest ended with exit code {code}, though no test failed')
        return sums

    def print(self):
        """Prints the summary and returns the exit code."""
        parts = self._parts
        passed, failed, skipped = (sum(getattr(sums, what) for _, sums in parts) for what in ('passed', 'failed', 'skipped'))
        failures = [f'{name}: {failure}' for name, sums in parts for failure in sums.failures]
        unstable = [f'{name}: {failure}' for name, sums in parts for failure in sums.unstable]
        if passed + failed == 0:
            failed = 1
            failures.append('no test was run' + (f': nothing matches {self._pattern}' if self._pattern else ''))
        for title, lines in (('failed at first, but passed when run again', unstable), ('failed', failures)):
            if lines:
                plain(f'\n{title}:')
            for line in lines:
                plain(f'  {line}')
        if self._left_out:
            plain('')
            print_lines(self._left_out)
        plain(f'\n{passed} passed, {failed} failed, {skipped} skipped')
        return 1 if failures else 0


def _last(begun):
    """Returns the test that started last, which is most likely the one that hung."""
    lines = begun.read_text(errors='replace').splitlines() if begun and begun.exists() else []
    return '; the last test that started: ' + lines[-1].partition('JUnit Jupiter > ')[2].removesuffix(' :: STARTED') if lines else ''
