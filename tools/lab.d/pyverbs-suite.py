#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs files of rdma-core's Python suite and writes an outcome per test.

Usage: pyverbs-suite.py SUITE DEVICE GID_INDEX OUTPUT FILE...   (FILE: qp for test_qp.py)

OUTPUT gets one line per test: name, outcome (passed, skipped, failed, error), reason.
"""
import importlib
import sys
import types
import unittest

suite, device, gid_index, output, *files = sys.argv[1:]


class Outcomes(unittest.TestResult):
    """Writes each outcome at once, so that a hanging test does not lose the others' outcomes."""

    def __init__(self, file):
        super().__init__()
        self.file = file

    def write(self, test, outcome, reason=''):
        name = test.id().removeprefix('tests.')
        line = ' '.join(str(reason).split())
        self.file.write(f'{name}\t{outcome}\t{line}\n')
        self.file.flush()
        print(f'{name} ... {outcome}', flush=True)

    def addSuccess(self, test):
        self.write(test, 'passed')

    def addSkip(self, test, reason):
        self.write(test, 'skipped', reason)

    def addFailure(self, test, err):
        self.write(test, 'failed', err[1])

    def addError(self, test, err):
        self.write(test, 'error', err[1])


def main():
    # The suite imports its modules as members of a package "tests", and args_parser as a top-level module.
    sys.path.insert(0, suite)
    package = types.ModuleType('tests')
    package.__path__ = [suite]
    sys.modules['tests'] = package
    arguments = importlib.import_module('args_parser')
    sys.argv = ['pyverbs-suite', '--dev', device, '--gid', gid_index]
    arguments.parser.parse_args()
    sys.modules['tests.args_parser'] = arguments
    with open(output, 'w', encoding='utf-8') as file:
        result = Outcomes(file)
        for name in files:
            try:
                module = importlib.import_module(f'tests.test_{name}')
            except ModuleNotFoundError as e:
                if e.name != f'tests.test_{name}':
                    raise
                print(f'the suite of this version has no test_{name}.py', flush=True)
                continue
            unittest.defaultTestLoader.loadTestsFromModule(module).run(result)


main()
