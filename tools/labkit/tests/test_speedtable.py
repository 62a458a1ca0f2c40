# SPDX-License-Identifier: Apache-2.0
import unittest

from labkit import comparison, speedtable
from labkit.commands import bench
from labkit.speedtable import EMULATED, USER_MODE, Figures

PAGE = '''| | unit | user-mode Linux: C | Java | ratio | all boots (number) | CPU | emulated: C | Java | ratio | all boots (number) | CPU |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| rc-pingpong polling | µs/iteration | 82.0 | 80.0 | 0.92 | 0.81 to 1.01 (5) | 0.94 | 202 | 219 | 1.06 | 0.98 to 1.10 (5) | 0.92 |
| rc-pingpong polling, just started | µs/iteration | 88.0 | 94.0 | 1.05 | 0.80 to 1.11 (5) | – | – | – | – | – | – |
| send-lat 2 | µs | 39.0 | 25.0 | 0.65 | 0.59 to 0.80 (10), spread | 0.50 | 68.0 | 78.0 | 1.14 | 1.05 to 1.22 (5) | 1.07 |
| stream-lat 64 | µs | – | – | – | – | – | 141 | 168 | 1.18 | 1.08 to 1.26 (5) | – |
| connection | µs | 4421 | 3751 | 0.94 | 0.83 to 1.00 (5) | – | 2637 | 6363 | 2.41 | 2.10 to 2.85 (3) | – |

- **user-mode Linux**: Linux 7.2
  - compiling: *rc-pingpong polling* 7%; *send-lat 2* 6%
- **emulated**: Linux 6.12; an older method
  - compiling: *stream-lat 64* 10%
'''
NEW = speedtable.cells(100, 50, [0.5, 0.4, 0.6], 0.7)


def rows(machines):
    """Returns the names of the rows, and those that have figures of the emulated machine."""
    cells = machines[EMULATED].cells
    return [case for case, _ in cells], [case for (case, _), each in cells.items() if each != speedtable.EMPTY]


class SpeedTable(unittest.TestCase):
    def test_is_the_same_after_reading(self):
        self.assertEqual(PAGE, speedtable.text(speedtable.parse(PAGE)))

    def test_of_one_kind_of_machine_has_its_columns_alone(self):
        self.assertEqual('''| | unit | emulated: C | Java | ratio | all boots (number) | CPU |
| --- | --- | --- | --- | --- | --- | --- |
| send-lat 2 | µs | 100 | 50.0 | 0.50 | 0.40 to 0.60 (3) | 0.70 |

- **emulated**: Linux 6.12
''', speedtable.text({EMULATED: Figures('Linux 6.12', {('send-lat 2', 'µs'): NEW}, {'compiling': {}})}))

    def test_keeps_the_figures_of_the_other_kind(self):
        new = Figures('Linux 6.13', {('send-lat 2', 'µs'): NEW}, {'compiling': {'send-lat 2': '9%'}})
        found = speedtable.updated(PAGE, EMULATED, new, lambda case: True)
        self.assertEqual(speedtable.parse(PAGE)[USER_MODE].notes, found[USER_MODE].notes)
        self.assertEqual({row: each for row, each in speedtable.parse(PAGE)[USER_MODE].cells.items() if row[0] != 'stream-lat 64'},
                         found[USER_MODE].cells)
        self.assertEqual('Linux 6.13', found[EMULATED].about)
        self.assertEqual({'compiling': {'send-lat 2': '9%'}}, found[EMULATED].notes)

    def test_has_no_row_without_figures(self):
        new = Figures('Linux 6.13', {('send-lat 2', 'µs'): NEW})
        self.assertEqual((['rc-pingpong polling', 'rc-pingpong polling, just started', 'send-lat 2', 'connection'], ['send-lat 2']),
                         rows(speedtable.updated(PAGE, EMULATED, new, lambda case: True)))

    def test_replaces_only_measured_cases(self):
        new = Figures(cells={('stream-lat 64', 'µs'): NEW})
        found = speedtable.updated(PAGE, EMULATED, new, lambda case: bench.is_measured(case, 'messages', 'stream'))
        old = speedtable.parse(PAGE)
        self.assertEqual(old[EMULATED].cells | new.cells, found[EMULATED].cells)
        self.assertEqual((old[EMULATED].about, {'compiling': {}}), (found[EMULATED].about, found[EMULATED].notes))

    def test_gets_a_new_case_below_the_one_measured_before(self):
        new = Figures(cells={(case, 'µs'): NEW for case in ('send-lat 2', 'send-lat 64')})
        names, _ = rows(speedtable.updated(PAGE, EMULATED, new, lambda case: False))
        self.assertEqual(['send-lat 2', 'send-lat 64', 'stream-lat 64'], names[2:5])

    def test_gets_figures_of_a_kind_that_it_has_not(self):
        found = speedtable.updated('', USER_MODE, Figures('Linux 7.2', {('connection', 'µs'): NEW}), lambda case: True)
        self.assertEqual({USER_MODE: Figures('Linux 7.2', {('connection', 'µs'): NEW})}, found)

    def test_has_the_ratios_of_the_picture(self):
        found = speedtable.ratios(speedtable.parse(PAGE)[USER_MODE])
        self.assertEqual([0.65, 0.59, 0.8], found['send-lat 2'])
        self.assertNotIn('stream-lat 64', found)
        self.assertIn('>0.65<', comparison.picture(found))


class Measured(unittest.TestCase):
    CASES = 'rc-pingpong polling', 'rc-pingpong polling, just started', 'send-lat 2', 'connection'

    def cases(self, mode, *tests):
        return [case for case in self.CASES if bench.is_measured(case, mode, *tests)]

    def test_cases_are_those_of_the_mode(self):
        self.assertEqual(['rc-pingpong polling', 'send-lat 2'], self.cases('messages'))
        self.assertEqual(['rc-pingpong polling, just started'], self.cases('started'))
        self.assertEqual(['connection'], self.cases('connections'))

    def test_messages_are_those_that_the_tests_select(self):
        self.assertEqual(['rc-pingpong polling'], self.cases('messages', 'write,ping'))


if __name__ == '__main__':
    unittest.main()
