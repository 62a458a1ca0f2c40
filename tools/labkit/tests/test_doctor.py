# SPDX-License-Identifier: Apache-2.0
import unittest
from unittest import mock

from labkit import packages
from labkit.commands import doctor


class Doctor(unittest.TestCase):
    COMPILERS = {'aarch64-linux-gnu-gcc', 'qemu-aarch64-static', 'gcc', 'make', 'flex', 'bison', 'bc'}

    def programs(self, without):
        """Examines a machine without some programs and without the libraries of compilers."""
        report = doctor.Report()
        with mock.patch('labkit.programs.find', lambda name: None if name in without else f'/usr/bin/{name}'), \
                mock.patch('labkit.programs.output', lambda *_: ''), mock.patch('labkit.packages.static_busybox', lambda: True), \
                mock.patch('labkit.packages.installed', lambda _: packages.PEER_PACKAGES), mock.patch('labkit.commands.doctor.plain'):
            return report, doctor._programs(report)

    def test_lists_what_only_the_tests_need(self):
        report, (missing, for_tests) = self.programs(self.COMPILERS)
        self.assertFalse(report.missing)
        self.assertEqual([], missing)
        self.assertEqual(['gcc-aarch64-linux-gnu', 'qemu-user-static', 'gcc', 'make', 'flex', 'bison', 'bc', 'libc6-dev', 'libc6-dev-arm64-cross',
                          'libelf-dev'], for_tests)

    def test_asks_for_no_maven_because_the_repository_can_fetch_it(self):
        self.assertEqual([], self.programs({'mvn'})[1][0])
        report, (missing, _) = self.programs({'mvn', 'unzip'})
        self.assertTrue(report.missing)
        self.assertEqual(['unzip'], missing)
