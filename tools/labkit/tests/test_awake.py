# SPDX-License-Identifier: Apache-2.0
import struct
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from .. import awake


class Awake(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.device = Path(self.folder.name) / 'cpu_dma_latency'

    def test_no_microsecond_of_latency_is_asked_for(self):
        self.device.touch()
        with mock.patch.object(awake, 'DEVICE', self.device), awake.processors():
            self.assertEqual(self.device.read_bytes(), struct.pack('i', 0))

    def test_the_device_is_open_as_long_as_it_lasts(self):
        self.device.touch()

        def is_open():
            return any(link.resolve() == self.device.resolve() for link in Path('/proc/self/fd').iterdir())

        with mock.patch.object(awake, 'DEVICE', self.device), awake.processors():
            self.assertTrue(is_open())
        self.assertFalse(is_open())

    def test_who_may_not_ask_reads_why_and_measures_all_the_same(self):
        with mock.patch.object(awake, 'DEVICE', self.device), mock.patch.object(awake, 'progress') as progress, awake.processors():
            self.assertIn('No such file or directory', progress.call_args[0][0])


if __name__ == '__main__':
    unittest.main()
