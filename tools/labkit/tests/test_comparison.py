# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from labkit import comparison, speedtable
from labkit.commands import bench
from labkit.guest import Settings

HEAD = 'case,unit,round,c,java,c_median,java_median,c_cpu,java_cpu,compiling\n'
MACHINE = 'case,loop_ns,memory_ns\nsend-lat 2,1.25,90\n'


def boot(*rounds, case='send-lat 2', unit='µs'):
    """Returns the text of a boot whose rounds have these figures of C and Java."""
    return HEAD + ''.join(f'{case},{unit},{number},{c},{java},9,8,40,30,0.001\n' for number, (c, java) in enumerate(rounds, 1))


class Comparison(unittest.TestCase):
    def test_counts_the_median_of_the_boots_medians(self):
        # The fastest round and the fastest boot of Java change nothing.
        cases = comparison.of([boot((50, 50), (50, 1), (50, 60)), boot((50, 2)), boot((50, 75))])
        case = cases['send-lat 2']
        self.assertEqual((50, 50, [1.0, 0.04, 1.5]), (case.of('c'), case.of('java'), case.ratios))
        self.assertEqual({('send-lat 2', 'µs'): ('50.0', '50.0', '1.00', '0.04 to 1.50 (3), spread', '0.75')},
                         comparison.figures('6.12', cases, [MACHINE], [0.5]).cells)

    def test_of_rates_has_ratios_of_times(self):
        case = comparison.of([boot((20, 10), case='send-bw 2', unit='kmsg/s')])['send-bw 2']
        self.assertEqual([2.0], case.ratios)

    def test_finds_the_cases_whose_boots_differ(self):
        def unsettled(*figures):
            return comparison.unsettled(comparison.of([boot((100, java)) for java in figures]))
        self.assertEqual([], unsettled(100))
        self.assertEqual([], unsettled(100, 101, 99, 100, 300))  # one boot on a slow machine
        self.assertEqual([], unsettled(93, 93, 100, 107, 107))
        self.assertEqual(['send-lat 2'], unsettled(92, 92, 100, 108, 108))

    def test_leaves_out_failed_rounds_and_names_them(self):
        cases = comparison.of([boot((50, 50), ('NaN', 10), (60, 60)), boot(('NaN', 'NaN'), case='send-bw 2')])
        self.assertEqual([], cases.pop('send-bw 2').boots)
        self.assertEqual(55, cases['send-lat 2'].of('java'))
        self.assertEqual({'send-lat 2': '1 of C'}, comparison.figures('6.12', cases, [MACHINE], [0.5]).notes['failed runs'])

    def test_names_the_machines_speed_the_load_and_single_messages(self):
        found = comparison.figures('6.12', comparison.of([boot((50, 50))]), [MACHINE, MACHINE.replace('90', '120')], [0.1, 2.4])
        self.assertEqual('Linux 6.12; a multiplication and an addition 1.25 ns; a read of a random cache line 105.00 (90.00 to 120.00) '
                         'ns; load before the boots 1.2 (0.1 to 2.4)', found.about)
        self.assertIn({'send-lat 2': '9.0 and 8.0'}, found.notes.values())

    def test_names_cases_in_which_the_jvm_compiled(self):
        found = comparison.figures('6.12', comparison.of([boot((50, 50)).replace('0.001', '0.06')]), [MACHINE], [0.5])
        self.assertIn({'send-lat 2': '6 %'}, found.notes.values())

    def test_draws_each_case(self):
        text = comparison.picture({'send-lat 2': [0.9, 1, 1.2], 'read-lat 2': [1]})
        self.assertIn('>send-lat 2<', text)
        self.assertEqual(2, text.count('<circle'))


class EarlyEnd(unittest.TestCase):
    """The end of a bench before its last boot."""

    def bench(self, *ends):
        """Runs boots that leave a text and an exit code, or raise an error. Returns the error's or the bench's exit code."""
        left = list(ends)

        def boot_guest(done):
            text, end = left.pop(0)
            (done.results / 'rounds.csv').write_text(text)
            (done.results / 'machine.csv').write_text(MACHINE)
            if isinstance(end, BaseException):
                raise end
            done.code = end
            return done

        def results(*_):
            return Path(tempfile.mkdtemp(dir=self.folder))

        def prepare(*_):
            return SimpleNamespace(results=results(), code=125, kernel=SimpleNamespace(release='6.12', user_mode=True))
        with tempfile.TemporaryDirectory() as self.folder, mock.patch('labkit.places.REPOSITORY', Path(self.folder)), \
                mock.patch.multiple('labkit.guest', prepare=prepare, boot=boot_guest, make_results=results), \
                mock.patch('labkit.boots.progress'), mock.patch('labkit.awake.progress'), \
                mock.patch('labkit.commands.bench.plain', self.printed.append):
            page = Path(self.folder, 'docs', 'performance.md')
            page.parent.mkdir()
            page.write_text('<!-- bench -->\n<!-- end of bench -->\n')
            try:
                return bench._messages(Settings(), {**Boots.CHOSEN, 'boots': 3}, True, [])
            except SystemExit as e:
                return e.code
            finally:
                self.page = speedtable.parse(page.read_text())

    def setUp(self):
        self.printed = []

    def test_puts_the_finished_cases_into_the_page(self):
        last = boot((50, 70), case='send-bw 2')
        for end, code in ((SystemExit(130), 130), (124, 124)):
            with self.subTest(code):
                self.assertEqual(code, self.bench((boot((50, 40)), 0), (last, end)))
                self.assertEqual({'send-lat 2': '0.80', 'send-bw 2': '1.40'},
                                 {case: cells[2] for (case, _), cells in self.page[speedtable.USER_MODE].cells.items()})

    def test_of_a_case_is_a_failure_that_is_named(self):
        text = boot((50, 50)) + boot(('NaN', 4), case='send-bw 2').removeprefix(HEAD)
        self.assertEqual(1, self.bench((text, 0), (text, 0), (text, 0)))
        self.assertEqual('without figures, because each run failed: send-bw 2', self.printed[-1])
        self.assertEqual(['send-lat 2'], [case for case, _ in self.page[speedtable.USER_MODE].cells])

    def test_before_the_first_case_leaves_the_page(self):
        self.assertEqual(143, self.bench((HEAD, SystemExit(143))))
        self.assertEqual(({}, []), (self.page, self.printed))


class Boots(unittest.TestCase):
    CHOSEN = {'tests': 'lat', 'boots': 2, 'rounds': 0, 'sizes': '2', 'minutes': 45}

    def next(self, *texts):
        with tempfile.TemporaryDirectory() as folder:
            done = []
            for number, text in enumerate(texts):
                results = Path(folder, str(number))
                results.mkdir()
                (results / 'rounds.csv').write_text(text)
                done.append(SimpleNamespace(results=results))
            command = bench.next_command(self.CHOSEN, done, [])
            return command and (command[1], command[4])

    def test_are_of_all_cases_first(self):
        self.assertEqual((1, 'lat'), self.next())
        self.assertEqual((2, 'lat'), self.next(boot((50, 50))))

    def test_follow_for_the_cases_that_differ_and_then_end(self):
        calm = boot((5, 5), case='read-lat 2').removeprefix(HEAD)
        first, second = boot((50, 50)) + calm, boot((50, 90)) + calm
        self.assertEqual((3, '^send-lat 2$'), self.next(first, second))
        self.assertEqual((4, '^send-lat 2$'), self.next(first, second, boot((50, 70))))
        self.assertFalse(self.next(first, second, boot((50, 70)), boot((50, 10))))
        self.assertFalse(self.next(first, first))
