# SPDX-License-Identifier: Apache-2.0
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

from labkit import again, boots, hosttests, junit, testnames, valkey
from labkit.commands import bench
from labkit.say import Channel, use_channel
from labkit.summary import Summary

REPORT = '''<?xml version="1.0"?>
<testsuite name="A" time="1,200.5" tests="9">
<testcase name="passes()" classname="a.B"><system-out><![CDATA[<testcase name="none" classname="x"><failure/>]]></system-out></testcase>
<testcase name="is &lt;skipped&gt;()" classname="a.B"><skipped/></testcase>
<testcase name="fails &amp; says(int)[1]" classname="a.B"><failure message="&#10;"><![CDATA[why]]></failure></testcase>
<testcase name="errs()" classname="a.C"><error/></testcase>
</testsuite>'''


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.report = Path(folder.name, 'TEST-a.xml')
        self.report.write_text(REPORT)
        self.lines = []
        shown = Channel()
        shown.out = lambda data: self.lines.append(data.decode())
        use_channel(shown)
        self.addCleanup(use_channel, None)

    def test_are_counted_test_by_test(self):
        total = junit.sum_up([self.report])
        self.assertEqual((1, 2, 1, 1200.5), (total.passed, total.failed, total.skipped, total.seconds))
        self.assertEqual(['a.B#fails & says(int)[1]: why', 'a.C#errs'], list(map(str, total.failures)))

    def test_name_what_passed_when_it_was_run_again(self):
        self.report.write_text('<testsuite time="1"><testcase classname="a.B" name="waits()"><flakyFailure message="late">'
                               '<stackTrace>late\n at a.B</stackTrace></flakyFailure></testcase></testsuite>')
        total = junit.sum_up([self.report])
        self.assertEqual((1, 0, ['a.B#waits: late at a.B']), (total.passed, total.failed, list(map(str, total.unstable))))

    def test_that_break_off_count_as_failed(self):
        self.report.write_text(REPORT[:-30])
        self.assertIn('cannot be read', junit.sum_up([self.report]).failures[-1].reason)

    def verdict(self, pattern, code, *reports):
        summary = Summary(pattern)
        summary.add_reports('6.1', reports, code)
        return summary.print(), ''.join(self.lines)

    def test_are_summed_up_with_the_sum_as_the_last_line(self):
        code, text = self.verdict('', 1, self.report)
        self.assertEqual(1, code)
        self.assertIn('6.1: a.C#errs', text)
        self.assertTrue(text.endswith('\n1 passed, 2 failed, 1 skipped\n'))

    def test_of_a_guest_that_broke_off_are_a_failure_however_many_passed(self):
        self.report.write_text('<testsuite time="1"><testcase name="passes()" classname="a.B"/></testsuite>')
        self.assertEqual(0, self.verdict('', 0, self.report)[0])
        code, text = self.verdict('', 124, self.report)
        self.assertEqual(1, code)
        self.assertIn('the guest ended with exit code 124', text)

    def test_name_the_test_that_ran_when_the_guest_broke_off(self):
        begun = self.report.with_name('begun')
        begun.write_text('JUnit Jupiter > A > first() :: STARTED\nJUnit Jupiter > A > hangs() :: STARTED\n')
        summary = Summary('')
        summary.add('6.1', summary.judge([], 124, begun))
        summary.print()
        self.assertIn('6.1: no report (exit code 124); the last test that started: A > hangs()\n', ''.join(self.lines))

    def test_keep_a_reason_short(self):
        self.report.write_text(REPORT.replace('why', 'far\n too long ' * 500))
        reason = junit.sum_up([self.report]).failures[0].reason
        self.assertTrue(reason.startswith('far too long far'), reason)
        self.assertEqual(junit.LONGEST_REASON, len(reason))

    def test_that_are_missing_are_a_failure(self):
        self.assertIn('no test was run', self.verdict('', 0)[1])
        self.assertIn('no report (exit code 125)', self.verdict('Some', 125)[1])

    def test_of_which_none_fits_the_pattern_are_a_failure(self):
        code, text = self.verdict('Nothing', 0)
        self.assertEqual(1, code)
        self.assertIn('nothing matches Nothing', text)


class SecondTries(unittest.TestCase):
    FIRST = [junit.Failure('a.b.CloseIT$Ends#posts(boolean)[1]', 'late'), junit.Failure('a.b.CloseIT$Ends#posts(boolean)[2]', ''),
             junit.Failure('a.PollIT#polls', 'none')]

    def outcome(self, failures, *sums):
        tried = []

        def try_tests(test):
            tried.append(test)
            return sums[len(tried) - 1]
        first = junit.Sum(passed=9, failed=len(failures), failures=failures)
        return again.run(first, try_tests), tried

    def test_are_of_each_failed_test_once_and_count_where_they_pass(self):
        broken = junit.Sum(failed=1, failures=self.FIRST[2:])
        sums, tried = self.outcome(self.FIRST, junit.Sum(passed=2), broken)
        self.assertEqual(['CloseIT#posts', 'PollIT#polls'], tried)
        self.assertEqual((11, 1, self.FIRST[2:], self.FIRST[:2]), (sums.passed, sums.failed, sums.failures, sums.unstable))

    def test_that_run_nothing_change_nothing(self):
        sums, _ = self.outcome(self.FIRST[2:], junit.Sum())
        self.assertEqual((9, 1, []), (sums.passed, sums.failed, sums.unstable))

    def test_are_not_for_what_is_broken(self):
        many = [junit.Failure(f'a.PollIT#polls{n}', '') for n in range(again.MAX_TESTS + 1)]
        self.assertEqual([], self.outcome(many)[1])

    def test_of_a_guest_that_broke_off_are_of_all_its_tests(self):
        hung = [junit.Failure('', 'no report')]
        sums, tried = self.outcome(hung, junit.Sum(passed=20))
        self.assertEqual(([''], 20, [], hung), (tried, sums.passed, sums.failures, sums.unstable))
        sums, _ = self.outcome(hung, junit.Sum(failed=1, failures=hung))
        self.assertEqual((1, hung, []), (sums.failed, sums.failures, sums.unstable))

    def test_are_named_in_the_summary_which_says_that_all_passed(self):
        lines, shown = [], Channel()
        shown.out = lambda data: lines.append(data.decode())
        use_channel(shown)
        self.addCleanup(use_channel, None)
        summary = Summary('')
        summary.add('6.1', self.outcome(self.FIRST[2:], junit.Sum(passed=1))[0])
        self.assertEqual(0, summary.print())
        self.assertIn('passed when run again:\n  6.1: a.PollIT#polls: none\n', ''.join(lines))
        self.assertTrue(''.join(lines).endswith('10 passed, 0 failed, 0 skipped\n'))


class HostReports(unittest.TestCase):
    def test_are_also_those_of_simulated_devices_and_a_part_without_any_has_failed(self):
        with tempfile.TemporaryDirectory() as folder:
            reports = Path(folder) / 'tests' / 'target' / 'surefire-reports'
            for name in ('', 'simulated-6.1', 'locks'):
                (reports / name).mkdir(parents=True, exist_ok=True)
            for name in ('', 'simulated-6.1'):
                (reports / name / 'TEST-a.xml').write_text(REPORT)
            lines, shown = [], Channel()
            shown.out = lambda data: lines.append(data.decode())
            use_channel(shown)
            self.addCleanup(use_channel, None)
            summary = Summary('')
            hosttests._add_reports(summary, Path(folder), False)
            self.assertEqual(1, summary.print())
            text = ''.join(lines)
        self.assertIn('  host: a.C#errs\n', text)
        self.assertIn('  simulated-6.1: a.C#errs\n', text)
        self.assertIn('  locks: no test was run\n', text)

    def test_are_complete_if_another_lab_in_the_checkout_tests_meanwhile(self):
        failing, empty = Summary('x', lambda _: None), Summary('x', lambda _: None)
        other_is_waiting = threading.Event()
        other = threading.Thread(target=hosttests.run, args=(empty, 'x', 0))

        def maven(*_):
            if threading.current_thread() is not other:
                report.parent.mkdir(parents=True)
                report.write_text(REPORT)
                other.start()
                other_is_waiting.wait(2)
            return True
        with tempfile.TemporaryDirectory() as folder, mock.patch('labkit.hosttests.REPOSITORY', Path(folder)), \
                mock.patch('labkit.java.run_maven', maven), mock.patch('labkit.programs.progress', lambda _: other_is_waiting.set()):
            report = Path(folder) / 'tests' / 'target' / 'surefire-reports' / 'TEST-a.xml'
            hosttests.run(failing, 'x', 0)
            other.join()
        self.assertEqual([2], [sums.failed for _, sums in failing._parts])


class Tools(unittest.TestCase):
    def test_are_counted_by_their_last_line(self):
        for lines, expected in ((['stress: 12 passed, 3 failed'], (12, 3)), (['50 mutations, 2 survived'], (48, 2)),
                                (['Ran 9 tests in 0.1s', '', 'FAILED (failures=1, errors=2)'], (6, 3)),
                                (['Ran 9 tests in 0.1s', '', 'OK'], (9, 0)), (['broken'], (0, 0)), ([], (0, 0))):
            with self.subTest(lines):
                self.assertEqual(expected, hosttests.counts(lines))


class Guests(unittest.TestCase):
    NAMES = ['a.b.PollIT', 'a.b.BareGuestIT', 'a.bare.CloseIT', 'a.b.PingOverSiwIT']

    def test_are_booted_only_for_what_a_pattern_fits(self):
        for pattern, expected in (('', (True, True, True)), ('Poll', (True, False, False)), ('Bare', (False, False, True)),
                                  ('b.*IT', (True, True, True)), ('Poll*IT#some', (True, False, False)), ('Siw', (False, True, False)),
                                  ('None', (False, False, False)), ('bare', (True, False, False))):
            with self.subTest(pattern):
                self.assertEqual(expected, testnames.guests(pattern, self.NAMES))

    def test_for_any_device_need_the_guest_with_siw_too(self):
        any_device = {name for name in self.NAMES if 'Poll' in name}
        self.assertEqual((True, True, False), testnames.guests('Poll', self.NAMES, any_device))

    def test_a_pattern_asks_for_the_valkey_server_by_any_part_of_the_name(self):
        for pattern in ('', 'ValkeyServerIT', 'tests.peers.', 'peers*IT', 'ValkeyServerIT#storesValuesOfAnySize'):
            self.assertEqual([valkey.TESTS], testnames.fitting(pattern, [valkey.TESTS]), pattern)
        self.assertEqual([], testnames.fitting('tests.queuepair.', [valkey.TESTS]))


class Pages(unittest.TestCase):
    def test_get_the_table_between_their_marks(self):
        page = 'a\n<!-- bench -->\nold\nold\n<!-- end of bench -->\nb\n'
        self.assertEqual('a\n<!-- bench -->\nnew \\1\n<!-- end of bench -->\nb\n', bench.replace_bench(page, 'new \\1\n', 'bench'))

    def test_of_which_there_are_several(self):
        page = '<!-- bench -->\na\n<!-- end of bench -->\n<!-- bench here -->\nb\n<!-- end of bench here -->\n'
        self.assertEqual(page.replace('b\n<', 'c\n<'), bench.replace_bench(page, 'c\n', 'bench here'))


class Boots(unittest.TestCase):
    HEAD = 'language,round,create id,connect\n'

    def test_count_by_the_median_of_their_medians(self):
        rounds = [('C,1,10,90\nC,2,10,90\n', f'Java,1,10,{more}\nJava,2,10,{more}\n') for more in (90, 190, 140)]
        found = boots.compared([self.HEAD + c + java for c, java in rounds], summed=True)
        lines = boots.table(found, 'µs a connection').splitlines()
        self.assertEqual('connect            90.0     140.0    1.56  1.00 to 2.11', lines[-2])
        self.assertEqual('all               100.0     150.0    1.50  1.00 to 2.00', lines[-1])
