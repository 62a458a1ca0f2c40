# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from labkit.commands import pingpong


class Packets(unittest.TestCase):
    def test_that_are_missing_are_named(self):
        warnings = []
        with tempfile.TemporaryDirectory() as folder, mock.patch.multiple(pingpong, packages=mock.DEFAULT, java=mock.DEFAULT, warn=warnings.append), \
                mock.patch.multiple('labkit.guest', run=lambda *_: mock.Mock(code=0, results=Path(folder)), emulated=lambda _: False):
            self.assertEqual(0, pingpong.run([]))
        self.assertEqual(1, len(warnings))


if __name__ == '__main__':
    unittest.main()
