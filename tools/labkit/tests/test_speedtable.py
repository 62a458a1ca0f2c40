# SPDX-License-Identifier: Apache-2.0
import unittest

from labkit import comparison, speedtable
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
        found = speedtable.updated(PAGE, EMULATED, new)
        self.assertEqual(speedtable.parse(PAGE)[USER_MODE], found[USER_MODE])
        self.assertEqual({'compiling': {'send-lat 2': '9%', 'stream-lat 64': '10%'}}, found[EMULATED].notes)

    def test_has_no_row_without_figures(self):
        new = Figures(cells={('stream-lat 64', 'ms'): NEW})
        self.assertEqual([('stream-lat 64', 'ms')],
                         [row for row in speedtable.updated(PAGE, EMULATED, new)[EMULATED].cells if row[0] == 'stream-lat 64'])

    def test_keeps_the_figures_of_cases_that_were_not_measured(self):
        new = Figures('Linux 6.13', {('stream-lat 64', 'µs'): NEW})
        found = speedtable.updated(PAGE, EMULATED, new)
        old = speedtable.parse(PAGE)
        self.assertEqual(old[EMULATED].cells | new.cells, found[EMULATED].cells)
        self.assertEqual((old[EMULATED].about, {'compiling': {}}), (found[EMULATED].about, found[EMULATED].notes))

    def test_describes_the_machine_anew_if_no_old_figures_of_messages_remain(self):
        new = Figures('Linux 6.13', {(case, unit): NEW for case, unit in (
            ('rc-pingpong polling', 'µs/iteration'), ('send-lat 2', 'µs'), ('stream-lat 64', 'µs'))})
        found = speedtable.updated(PAGE, EMULATED, new)[EMULATED]
        self.assertEqual('Linux 6.13', found.about)
        self.assertIn(('connection', 'µs'), found.cells)

    def test_gets_a_new_case_below_the_one_measured_before(self):
        new = Figures(cells={(case, 'µs'): NEW for case in ('send-lat 2', 'send-lat 64')})
        names = [case for case, _ in speedtable.updated(PAGE, EMULATED, new)[EMULATED].cells]
        self.assertEqual(['send-lat 2', 'send-lat 64', 'stream-lat 64'], names[2:5])

    def test_gets_figures_of_a_kind_that_it_has_not(self):
        found = speedtable.updated('', USER_MODE, Figures('Linux 7.2', {('connection', 'µs'): NEW}))
        self.assertEqual({USER_MODE: Figures('Linux 7.2', {('connection', 'µs'): NEW})}, found)

    def test_has_the_ratios_of_the_picture(self):
        found = speedtable.ratios(speedtable.parse(PAGE)[USER_MODE])
        self.assertEqual([0.65, 0.59, 0.8], found['send-lat 2'])
        self.assertNotIn('stream-lat 64', found)
        self.assertIn('>0.65<', comparison.picture(found))


if __name__ == '__main__':
    unittest.main()
