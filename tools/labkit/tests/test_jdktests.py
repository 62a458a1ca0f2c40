# SPDX-License-Identifier: Apache-2.0
"""The list of the JDK's tests that the lab leaves out."""
import unittest

from labkit import jdktests


class LeftOut(unittest.TestCase):
    def test_has_a_reason_for_each_test_that_would_run(self):
        left_out = jdktests.left_out()
        self.assertTrue(left_out)
        for test, reason in left_out.items():
            with self.subTest(test):
                self.assertNotIn(reason, ('', next(iter(jdktests.LEFT_OUT.read_text().splitlines()))[2:]))
                self.assertTrue(test.startswith(jdktests.CHANNELS + jdktests.NET))


if __name__ == '__main__':
    unittest.main()
