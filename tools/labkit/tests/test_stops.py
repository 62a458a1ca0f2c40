# SPDX-License-Identifier: Apache-2.0
"""Outcomes of programs that crash the kernel."""
import unittest

from labkit import stops
from labkit.say import EXIT_LAB, UsageError

STOP = stops.Stop('one', 'true', 'RIP: .*rxe_', ('6.1',))
OOPS = '[   42.1] RIP: 0010:rxe_query_srq+0x16/0x40 [rdma_rxe]\r\nKernel panic\n'


class Outcomes(unittest.TestCase):
    def test_a_known_stop_is_shown_by_its_line(self):
        outcome = stops.judge(STOP, '6.1', EXIT_LAB, OOPS)
        self.assertEqual((True, 'as expected: RIP: 0010:rxe_query_srq+0x16/0x40 [rdma_rxe]'), (outcome.known, outcome.text))

    def test_a_fixed_kernel_is_reported(self):
        outcome = stops.judge(STOP, '6.1', 0, 'all is well')
        self.assertFalse(outcome.known)
        self.assertIn('fixed?', outcome.text)

    def test_another_panic_is_not_taken_for_the_known_one(self):
        self.assertFalse(stops.judge(STOP, '6.1', EXIT_LAB, 'RIP: 0010:do_exit+0x1/0x2').known)

    def test_a_kernel_that_was_thought_sound_and_stops_is_noticed(self):
        self.assertFalse(stops.judge(STOP, 'sid', EXIT_LAB, OOPS).known)

    def test_a_sound_kernel_must_let_the_program_end_well(self):
        self.assertTrue(stops.judge(STOP, 'sid', 0, '').known)
        self.assertFalse(stops.judge(STOP, 'sid', 2, '').known)


class Names(unittest.TestCase):
    def test_all_programs_are_there(self):
        for stop in stops.named([]):
            self.assertTrue(any((stops.FOLDER / word).is_file() for word in stop.line.split()), stop.line)

    def test_an_unknown_name_is_refused(self):
        with self.assertRaises(UsageError):
            stops.named(['nothing'])
