# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path

from .. import counts

# A start of 1000 instructions, a path of 20 with a system call that each message takes once, a loop of 3 that waits, a yield in it,
# and 5 of something else; of the kernel 50 of rxe and 7 beside it.
FEW = """400000 1000 aaaaaaaa 1 -1
403000 5 eeeeeeee 2 -1
401000 20 bbbbbbbb 10 1
402000 3 cccccccc 20 -1
404000 4 ffffffff 10 24
ffffffffc0001000 50 11111111 10 -1
ffffffff81000000 7 22222222 10 -1
"""
MANY = """400000 1000 aaaaaaaa 1 -1
403000 5 eeeeeeee 7 -1
401000 20 bbbbbbbb 110 1
402000 3 cccccccc 1220 -1
404000 4 ffffffff 310 24
ffffffffc0001000 50 11111111 110 -1
ffffffff81000000 7 22222222 210 -1
"""
SYMBOLS = """ffffffff81000000 T _stext
ffffffffc0000000 t rxe_requester	[rdma_rxe]
ffffffffc0002000 t rxe_completer	[rdma_rxe]
ffffffffc0003000 t veth_xmit	[veth]
"""


class Counts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.results = Path(self.folder.name)

    def found(self, runs, **files):
        (self.results / 'kallsyms').write_text(SYMBOLS)
        (self.results / 'runs.csv').write_text('mark,case,language,messages\n' + runs)
        for name, text in files.items():
            (self.results / f'{name[1:]}.tsv').write_text(text)
        return counts.of(self.results)

    def test_the_start_and_loops_that_wait_do_not_count(self):
        cost = self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=MANY)['a']['C']
        self.assertAlmostEqual(cost.path, 20)

    def test_yields_are_no_system_calls_of_a_message(self):
        cost = self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=MANY)['a']['C']
        self.assertAlmostEqual(cost.system_calls, 1)

    def test_a_single_yield_does_not_count(self):
        cost = self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=MANY + '405000 2 33333333 100 24\n')['a']['C']
        self.assertAlmostEqual(cost.path, 20)

    def test_a_system_call_whose_number_is_not_known_counts(self):
        cost = self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=MANY + '405000 2 33333333 100 -2\n')['a']['C']
        self.assertAlmostEqual(cost.system_calls, 2)

    def test_the_library_of_the_virtual_machine_is_left_out_of_java_alone(self):
        (self.results / 'maps-7').write_text('00400000-00401000 r-xp 0 08:01 3 /bin/java\n'
                                             '00401000-00402000 r-xp 0 08:01 7   /jdk/lib/server/libjvm.so\n')
        found = self.found('1,a,C,10\n3,a,C,110\n5,a,Java,10\n7,a,Java,110\n', _1=FEW, _3=MANY, _5=FEW, _7=MANY)['a']
        self.assertAlmostEqual(found['C'].path, 20)
        self.assertAlmostEqual(found['Java'].path, 0)

    def test_the_modules_of_rdma_stand_apart_from_the_rest_of_the_kernel(self):
        of_veth = 'ffffffffc0003000 3 44444444 100 -1\n'
        cost = self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=MANY + of_veth)['a']['C']
        self.assertAlmostEqual(cost.rxe, 50)
        self.assertAlmostEqual(cost.kernel, 14 + 3)

    def test_of_runs_with_as_many_messages_the_last_counts(self):
        cost = self.found('1,a,C,10\n3,a,C,110\n5,a,C,110\n', _1=FEW, _3=FEW, _5=MANY)['a']['C']
        self.assertAlmostEqual(cost.path, 20)

    def test_two_programs_with_other_code_at_an_address_have_two_blocks(self):
        other = MANY + '401000 7 dddddddd 100 -1\n'
        cost = self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=other)['a']['C']
        self.assertAlmostEqual(cost.path, 27)

    def test_code_that_was_translated_twice_is_one_block(self):
        again = MANY.replace('401000 20 bbbbbbbb 110 1\n', '401000 20 bbbbbbbb 60 1\n401000 20 bbbbbbbb 50 1\n')
        self.assertEqual(self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=again)['a']['C'],
                         self.found('1,a,C,10\n3,a,C,110\n', _1=FEW, _3=MANY)['a']['C'])

    def test_the_table_has_cases_that_both_have_come_to_the_end_of(self):
        found = self.found('1,a,C,10\n3,a,C,110\n5,a,Java,10\n7,a,Java,110\n9,b,C,10\n11,b,C,110\n', _1=FEW, _3=MANY, _5=FEW,
                           _7=MANY, _9=FEW, _11=MANY)
        self.assertEqual(counts.table(found).splitlines()[2:],
                         ['| a | 20 | 20 | 1.00 | 1.00 | 50 | 50 | 14 | 14 |'])


if __name__ == '__main__':
    unittest.main()
