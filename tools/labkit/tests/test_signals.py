# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from labkit import guest, parts, programs, signals, stops, watch
from labkit.kerneltree import Kernel


class Signals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        received = mock.patch('labkit.signals._received', [])
        received.start()
        self.addCleanup(received.stop)


class Ignored(Signals):
    def test_stay_ignored(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.addCleanup(signal.signal, number, signal.getsignal(number))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signals.handle()
        signal.raise_signal(signal.SIGHUP)
        with self.assertRaises(SystemExit) as ended:
            signal.raise_signal(signal.SIGTERM)
        self.assertEqual(143, ended.exception.code)


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


class Programs(Signals):
    def test_end_with_all_that_they_started_and_end_the_lab(self):
        with self.assertRaises(SystemExit) as ended:
            with programs.running(['bash', '-c', 'sleep 60 & echo begun; wait'], stdout=subprocess.PIPE) as process:
                for _ in process.stdout:  # until both processes have closed it
                    signals.receive('TERM')
        self.assertEqual((143, -15), (ended.exception.code, process.returncode))
        with self.assertRaises(SystemExit), programs.running(['none']):
            self.fail('started')

    def test_end_if_their_user_fails(self):
        with self.assertRaises(ValueError), programs.running(['sleep', '60']) as process:
            raise ValueError
        self.assertEqual(-15, process.returncode)


class Locks(Signals):
    def test_are_no_longer_waited_for_after_a_signal(self):
        path = self.folder / 'lock'
        with programs.locked(path, ''), mock.patch('labkit.programs.progress', lambda _: signals._received.append('TERM')), \
                self.assertRaises(SystemExit), programs.locked(path, 'waiting'):
            self.fail('locked')


class Parts(Signals):
    def test_are_the_last_ones_after_a_signal(self):
        started = []

        def interrupted():
            with signals.passed_to(started.append):
                signals.receive('TERM')
        with mock.patch.dict(os.environ, {'VERBS4J_LAB_CACHE': str(self.folder), 'VERBS4J_LAB_RESULTS': str(self.folder)}), \
                self.assertRaises(SystemExit) as ended:
            parts.Runner(1, False).run([parts.Part('a', interrupted), parts.Part('b', lambda: started.append('b'))])
        self.assertEqual((143, ['TERM']), (ended.exception.code, started))


if __name__ == '__main__':
    unittest.main()
