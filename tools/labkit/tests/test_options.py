# SPDX-License-Identifier: Apache-2.0
import unittest

from labkit.guest import Settings
from labkit.options import HelpWanted, Options, kernel_list
from labkit.say import UsageError


class GuestOptions(unittest.TestCase):
    def parse(self, *words, rest=False):
        settings = Settings()
        return settings, Options('run', settings).parse(words, rest)

    def test_take_values_behind_a_space_or_an_equals_sign(self):
        settings, _ = self.parse('--kernel', '6.1', '--timeout=20', '--memory', '512')
        self.assertEqual(('6.1', 20, 512), (settings.kernel, settings.timeout, settings.memory))

    def test_end_where_the_command_begins(self):
        settings, command = self.parse('--no-devices', 'ls', '--kernel', 'x', rest=True)
        self.assertFalse(settings.devices)
        self.assertEqual(['ls', '--kernel', 'x'], command)

    def test_end_at_two_dashes(self):
        self.assertEqual(['--siw', '--'], self.parse('--', '--siw', '--', rest=True)[1])

    def test_refuse_what_is_unknown_and_values_that_are_missing_or_no_numbers(self):
        for words, message in ((['--bogus'], "unknown option '--bogus'"), (['--kernel'], '--kernel needs a value'),
                               (['--timeout', '0'], "positive whole number, not '0'"), (['--memory=1G'], "not '1G'"),
                               (['--siw=1'], "unknown argument '--siw=1'"), (['--arch', 'arm'], "unknown architecture 'arm'")):
            with self.subTest(words), self.assertRaisesRegex(UsageError, message):
                self.parse(*words)

    def test_ask_for_help(self):
        with self.assertRaises(HelpWanted):
            self.parse('-h')

    def test_can_be_refused_by_a_subcommand(self):
        options = Options('pyverbs', Settings())
        options.refuse('not %', '--no-devices', '--kernel')
        for word in ('--no-devices', '--kernel', '--kernel=6.1'):
            with self.subTest(word), self.assertRaisesRegex(UsageError, 'not --'):
                options.parse([word])

    def test_of_several_kernels_add_up(self):
        names = []
        options = Options('test', Settings())
        options.value('--kernel', kernel_list(names))
        options.parse_all(['--kernel', '6.1,sid,6.1', '--kernel=uml,sid'])
        self.assertEqual(['6.1', 'sid', 'uml'], names)
