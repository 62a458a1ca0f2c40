# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path

from .. import counts

# A start of 1000 instructions, a path of 20 that each message takes once, a loop of 3 that waits, and 5 of something else.
FEW = 'total 1270 500 12\n400000 1000 aaaaaaaa 1\n403000 5 eeeeeeee 2\n401000 20 bbbbbbbb 10\n402000 3 cccccccc 20\n'
MANY = 'total 6895 2500 112\n400000 1000 aaaaaaaa 1\n403000 5 eeeeeeee 7\n401000 20 bbbbbbbb 110\n402000 3 cccccccc 1220\n'


class Counts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.results = Path(self.folder.name)

    def found(self, runs, **files):
        (self.results / 'runs.csv').write_text('mark,case,language,messages\n' + runs)
        for name, text in files.items():
            (self.results / f'{name[1:]}.tsv').write_text(text)
        return counts.of(self.results)

    def test_the_start_is_taken_off_and_loops_that_wait_stand_apart(self):
        cost = self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=MANY)['a']['C']
        self.assertAlmostEqual(cost.path, 20)
        self.assertAlmostEqual(cost.waiting, 36)
        self.assertAlmostEqual(cost.kernel, 20)
        self.assertAlmostEqual(cost.system_calls, 1)
        self.assertEqual((cost.blocks, cost.pages), (2, 2))

    def test_of_runs_with_as_many_messages_the_last_counts(self):
        cost = self.found('1,a,C,10\n3,a,C,110\n5,a,C,110\n', _1=FEW, _3=FEW, _5=MANY)['a']['C']
        self.assertAlmostEqual(cost.path, 20)

    def test_two_programs_with_other_code_at_an_address_have_two_blocks(self):
        other = MANY + '401000 7 dddddddd 100\n'
        cost = self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=other)['a']['C']
        self.assertAlmostEqual(cost.path, 27)
        self.assertEqual((cost.blocks, cost.pages), (3, 2))

    def test_code_that_was_translated_twice_is_one_block(self):
        again = MANY.replace('401000 20 bbbbbbbb 110\n', '401000 20 bbbbbbbb 60\n401000 20 bbbbbbbb 50\n')
        self.assertEqual(self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=again)['a']['C'],
                         self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=MANY)['a']['C'])

    def test_the_table_has_cases_that_both_have_come_to_the_end_of(self):
        found = self.found('1,a,C,10\n3,a,C,110\n5,a,Java,10\n7,a,Java,110\n9,b,C,10\n11,b,C,110\n', _1=FEW, _3=MANY, _5=FEW,
                           _7=MANY, _9=FEW, _11=MANY)
        self.assertEqual(counts.table(found).splitlines()[2:], ['| a | 20 | 20 | 2 | 2 | 2 | 2 | 1.00 | 1.00 | 36 | 36 | 20 | 20 |'])


if __name__ == '__main__':
    unittest.main()
