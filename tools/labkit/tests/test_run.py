# SPDX-License-Identifier: Apache-2.0
import unittest
from unittest import mock

from labkit import pair
from labkit.commands import run
from labkit.guest import Settings
from labkit.say import UsageError


class Peers(unittest.TestCase):
    def test_need_a_kernel_and_a_command(self):
        for words in (['--peer', '6.1'], ['--peer-command', 'true'], ['--peer', '6.1', '--peer-command', 'true', '--no-devices'],
                      ['--peer', 'none', '--peer-command', 'true'], ['--peer', 'uml', '--peer-command', 'true']):
            with self.subTest(words), self.assertRaises(UsageError), mock.patch('labkit.packages.ensure'):
                run.run([*words, 'true'])

    def test_run_side_by_side_on_the_two_ends_of_one_cable(self):
        prepared, sent = [], []

        def prepare(settings, command):
            prepared.append(settings)
            return mock.Mock(settings=settings, command=command, watch=None)

        def boot(guest):
            end = guest.settings.wire
            if guest.settings.end == '0':
                end.send(b'hello')
                guest.code = 0
            else:
                sent.append(end.recv(9))
                guest.code = 5
        with mock.patch('labkit.guest.prepare', prepare), mock.patch('labkit.guest.boot', boot), mock.patch('labkit.pair.progress'):
            self.assertEqual([0, 5], [each.code for each in pair.run(Settings(kernel='6.12', memory=512), ['true'], '6.1', 'true')])
        self.assertEqual([b'hello'], sent)
        self.assertEqual([('6.12', '0', 512), ('6.1', '1', 512)], [(s.kernel, s.end, s.memory) for s in prepared])
