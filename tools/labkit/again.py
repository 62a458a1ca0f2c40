# SPDX-License-Identifier: Apache-2.0
"""Runs failed tests of a guest again, because emulated processors sometimes stall for longer than a test's timeout.

A test that fails again has failed. One that passes is unstable, and the summary lists it with the reason of its failure.
"""

MAX_TESTS = 3  # maximum number of tests of one guest; more failures are not accidental


def run(sums, try_tests):
    """Runs each failed test once more. try_tests(PATTERN) runs the matching tests ('' all), and returns their sum."""
    tests = {failure.test() for failure in sums.failures}
    if len(tests) > MAX_TESTS:
        return sums
    if '' in tests:  # the guest broke off, so the outcomes of its other tests are unknown
        again = try_tests('')
        if not again.failures:
            again.unstable = sums.failures
        return again
    for test in sorted(tests):
        again = try_tests(test)
        if again.passed and not again.failures:
            passed = [failure for failure in sums.failures if failure.test() == test]
            sums.unstable += passed
            sums.failures = [failure for failure in sums.failures if failure not in passed]
            sums.failed -= len(passed)
            sums.passed += len(passed)
    return sums
