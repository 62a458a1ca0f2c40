# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from labkit import guest, signals, stops, watch
from labkit.kerneltree import Kernel


class Signals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        received = mock.patch('labkit.signals._received', [])
        received.start()
        self.addCleanup(received.stop)


class Guests(Signals):
    def run_programs(self, watched):
        """Runs two programs that stop the kernel in guests; returns the exit code of the lab and the number of guests."""
        started = []

        def watch_guest(running, _):
            started.append(running)
            return watched(running)

        def prepare(settings, command):
            return guest.Guest(settings, Kernel('uml', '7.2', Path('/none'), None), self.folder)
        with mock.patch('labkit.guest.prepare', prepare), mock.patch('labkit.watch.watch', watch_guest), mock.patch('labkit.uml.Uml') as machine:
            machine.return_value.retry.return_value = None
            with self.assertRaises(SystemExit) as ended:
                stops.run_all(stops.STOPS[:2], 'uml', guest.Settings())
        return ended.exception.code, len(started)

    def test_are_the_last_ones_after_a_signal(self):
        def interrupted(running):
            with signals.passed_to(lambda name: setattr(running, 'ended', name)):
                signals.receive('INT')
            return watch.Boot()
        self.assertEqual((130, 1), self.run_programs(interrupted))

    def test_do_not_start_after_a_signal(self):
        with self.assertRaises(SystemExit):
            signals.receive('TERM')
        self.assertEqual((143, 0), self.run_programs(None))

    def test_get_a_signal_that_arrives_while_they_start(self):
        signals._received.append('HUP')
        names = []
        with signals.passed_to(names.append):
            self.assertEqual(['HUP'], names)


if __name__ == '__main__':
    unittest.main()
