# SPDX-License-Identifier: Apache-2.0
import os
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

from labkit import leftout, parts, qemu
from labkit.commands import test
from labkit.guest import Settings
from labkit.say import channel
from labkit.summary import Summary


class Parts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        places = mock.patch.dict(os.environ, {'VERBS4J_LAB_CACHE': folder.name, 'VERBS4J_LAB_RESULTS': folder.name})
        places.start()
        self.addCleanup(places.stop)

    def test_run_side_by_side_as_far_as_there_are_lanes(self):
        both, order = threading.Barrier(2), []

        def meet():
            both.wait(10)

        parts.Runner(2, False).run([parts.Part('a', meet), parts.Part('b', meet), parts.Part('c', lambda: order.append('c'))])
        parts.Runner(1, False).run([parts.Part('d', lambda: order.append('d')), parts.Part('e', lambda: order.append('e'))])
        self.assertEqual(['c', 'd', 'e'], order)

    def test_write_a_log_each(self):
        parts.Runner(1, False).run([parts.Part('6.12, siw', lambda: channel().out(b'passed\n'))])
        self.assertEqual('passed\n', (self.folder / 'logs-latest' / '6.12-siw.log').read_text())

    def test_write_no_log_of_another_run(self):
        def both():
            channel().out(b'first\n')
            parts.Runner(1, False).run([parts.Part('host', lambda: channel().out(b'second\n'))])
            channel().out(b'first again\n')
        parts.Runner(1, False).run([parts.Part('host', both)])
        texts = {log.read_text() for log in self.folder.glob('logs-[0-9]*/host.log')}
        self.assertEqual({'first\nfirst again\n', 'second\n'}, texts)

    def test_do_not_start_when_one_was_stopped(self):
        started = []

        def stop():
            raise ValueError('stopped')
        with self.assertRaisesRegex(ValueError, 'stopped'):
            parts.Runner(1, False).run([parts.Part('a', stop), parts.Part('b', lambda: started.append('b'))])
        self.assertEqual([], started)

    def test_are_reported_without_a_terminal_while_they_run(self):
        reported, texts = threading.Event(), []

        def report(text):
            texts.append(text)
            reported.set()
        with mock.patch.multiple(parts, REFRESH=0.01, REPORT=0, progress=report), mock.patch('sys.stderr', mock.Mock(isatty=lambda: False)):
            parts.Runner(1, False).run([parts.Part('6.12, siw', lambda: self.assertTrue(reported.wait(10)))])
        self.assertEqual({'running 6.12, siw; about 4 min left'}, set(texts))

    def test_stop_the_others_if_one_has_no_log(self):
        started = []
        runner = parts.Runner(1, False)
        (self.folder / 'logs-latest' / 'a.log').mkdir()
        with self.assertRaises(IsADirectoryError):
            runner.run([parts.Part('a', lambda: None), parts.Part('b', lambda: started.append('b'))])
        self.assertEqual([], started)

    def test_are_expected_to_take_what_they_took_the_last_time(self):
        parts.Times().keep('a', 600)
        part = parts.Part('a', lambda: None)
        parts.Runner(1, False).run([part])
        self.assertEqual(600, part.seconds)
        self.assertLess(parts.Times().all()['a'], 10)

    def test_do_not_fail_if_their_times_cannot_be_written(self):
        runner = parts.Runner(1, False)
        with mock.patch.object(Path, 'rename', side_effect=FileNotFoundError):  # another lab
            runner.run([parts.Part('a', lambda: None)])
        cache = self.folder / 'file'
        cache.touch()
        with mock.patch.dict(os.environ, {'VERBS4J_LAB_CACHE': str(cache)}):
            parts.Times().keep('a', 600)

    def test_take_the_time_of_the_fullest_lane(self):
        waiting = [parts.Part('c', None, 300), parts.Part('d', None, 60)]
        self.assertEqual('about 8 min left', parts.left([100 + 120, 100 + 420], waiting, 100))
        self.assertEqual('less than a minute left', parts.left([90], [], 100))


class Plan(unittest.TestCase):
    NAMES = ['a.PollIT', 'a.BareGuestIT', 'a.PingOverSiwIT']

    def plan(self, names, **selected):
        with mock.patch('labkit.testnames.of_jars', lambda _: self.NAMES), \
                mock.patch('labkit.testnames.for_any_device', lambda _: frozenset()), \
                mock.patch('labkit.commands.test._guest_of_tests', self.seen):
            self.guests = []
            found = test._parts(names, Settings(), test.Selection(**selected), Summary(''))
            for part in found:
                if part.name != 'host':
                    part.run()
            return [part.name for part in found]

    def seen(self, title, kind, scope, settings, *_):
        self.guests.append((title, kind, scope, settings.processors))

    def test_has_everything_on_one_kernel_and_what_differs_on_the_others(self):
        self.assertEqual(['6.12', 'host', '6.1', 'sid', '6.12, siw', '6.12, bare'], self.plan(['6.1', '6.12', 'sid'], jobs=2, processors=1))
        self.assertEqual([('6.12', 'usual', 'one', 1), ('6.1', 'usual', 'differing', 1), ('sid', 'usual', 'differing', 1),
                          ('6.12, siw', 'siw', 'one', 1), ('6.12, bare', 'bare', 'one', 1)], self.guests)

    def test_has_everything_on_the_first_kernel_without_the_default_one(self):
        self.plan(['sid', '6.1'], jobs=2, host=False)
        self.assertEqual([('sid', 'one'), ('6.1', 'differing')], [(title, scope) for title, kind, scope, _ in self.guests if kind == 'usual'])

    def test_distinguishes_folders_of_the_same_name(self):
        self.assertEqual(['/a/linux', '/b/linux'], self.plan(['/a/linux', '/b/linux'], jobs=2, host=False)[:2])

    def test_has_everything_on_each_kernel_with_all(self):
        self.assertEqual(['host', '6.12', '6.1', '6.12, siw', '6.12, bare', '6.12, environments', '6.1, siw', '6.1, bare'],
                         self.plan(['6.1', '6.12'], jobs=1, all=True))
        self.assertEqual({('all', qemu.PROCESSORS)}, {(scope, processors) for _, _, scope, processors in self.guests})


class Pairs(unittest.TestCase):
    def test_pass_if_both_guests_do(self):
        for codes, failed in (((0, 0), 0), ((1, 0), 1), ((0, 143), 1)):
            guests = [mock.Mock(code=code) for code in codes]
            summary = Summary('', lambda _: None)
            with self.subTest(codes), mock.patch('labkit.pair.run', return_value=guests) as run:
                test._test_pairs(['6.1', '6.12', 'sid'], Settings(), summary)
                self.assertEqual(2, run.call_count)
                self.assertEqual([('6.1 to 6.12', failed), ('6.12 to sid', failed)], [(name, sums.failed) for name, sums in summary._parts])


class LeftOut(unittest.TestCase):
    def test_is_counted_by_what_the_tests_state(self):
        done = mock.Mock(stdout='AIT.a each-kernel\nAIT.b one-kernel each-kernel\nBIT.c long-run one-kernel\nBIT.d no-kernel any-device\n')
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, {'VERBS4J_LAB_RESULTS': folder}), \
                mock.patch('labkit.places.REPOSITORY', Path(folder)), \
                mock.patch('labkit.java.program', lambda: 'java'), mock.patch('subprocess.run', lambda *_, **__: done):
            programs = Path(folder, 'programs', 'src', 'test')
            programs.mkdir(parents=True)
            Path(programs, 'LongTest.java').write_text('@Tag("long-run")')
            Path(programs, 'ShortTest.java').write_text('@Test')
            summary = Summary('')
            leftout.report(summary, 3)
            named = Path(folder, 'left-out.txt').read_text()
        lines = summary._left_out
        self.assertEqual('AIT.b: one-kernel\nBIT.c: long-run\nBIT.d: no-kernel\n', named)
        self.assertIn('left out: 1 long test methods, 1 that need no kernel (simulated devices ran them), '
                      '1 programs of others (tools/lab programs), on all kernels but one, 1 that need only one kernel', lines)


if __name__ == '__main__':
    unittest.main()
