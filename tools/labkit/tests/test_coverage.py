# SPDX-License-Identifier: Apache-2.0
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from labkit.commands import coverage


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for each in (mock.patch.dict(os.environ, {'VERBS4J_LAB_RESULTS': folder.name}), mock.patch('labkit.places.REPOSITORY', self.folder)):
            each.start()
            self.addCleanup(each.stop)

    def run_of(self, second, code):
        results = self.folder / f'6.12-20260101-00000{second}'
        results.mkdir()
        for name, text in (('release', '6.12'), ('coverage.tsv', 'ibv_open_device'), ('exit-code', f'{code}\n')):
            (results / name).write_text(text)
        return results

    def test_are_those_of_the_newest_run_that_finished(self):
        self.assertIsNone(coverage.newest_full_results('6.12'))
        self.run_of(1, 0)
        finished = self.run_of(2, 1)
        for second, code in enumerate((124, 125, 130), 3):
            self.run_of(second, code)
        self.assertEqual(finished, coverage.newest_full_results('6.12'))

    def test_are_old_after_another_build(self):
        results = self.run_of(1, 0)
        self.assertFalse(coverage.is_old(results))
        (self.folder / 'target').mkdir()
        built = self.folder / 'target' / '.built'
        for seconds, old in ((-9, False), (9, True)):
            built.touch()
            time = (results / 'exit-code').stat().st_mtime + seconds
            os.utime(built, (time, time))
            self.assertEqual(old, coverage.is_old(results))


if __name__ == '__main__':
    unittest.main()
