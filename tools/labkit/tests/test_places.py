# SPDX-License-Identifier: Apache-2.0
import tempfile
import threading
import unittest
from pathlib import Path

from labkit import places


class Links(unittest.TestCase):
    def test_are_made_concurrently_and_always_exist(self):
        with tempfile.TemporaryDirectory() as folder:
            path, failures = Path(folder, 'link'), []
            places.link(path, 'target')

            def link():
                try:
                    for _ in range(100):
                        places.link(path, 'target')
                        path.readlink()
                except OSError as e:
                    failures.append(e)
            threads = [threading.Thread(target=link) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual([], failures)
            self.assertEqual([path], list(Path(folder).iterdir()))


if __name__ == '__main__':
    unittest.main()
