# SPDX-License-Identifier: Apache-2.0
"""The second try of what failed in a guest: emulated processors stall now and then for longer than a test waits.

A test that fails again has failed. One that passes is unstable: the summary names it with its reason, for whoever looks for
the cause.
"""

MOST = 3  # tests of one guest; more than that are broken, not unlucky


def run(sums, try_tests):
    """Tries what failed again, each test once: try_tests(PATTERN) runs the tests that it names, '' all, and returns their sum."""
    tests = {failure.test() for failure in sums.failures}
    if len(tests) > MOST:
        return sums
    if '' in tests:  # the guest broke off, so that nobody knows of its other tests
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
