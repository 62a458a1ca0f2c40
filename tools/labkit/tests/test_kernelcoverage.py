# SPDX-License-Identifier: Apache-2.0
import importlib
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from labkit import kernelcoverage, umlbuild
from labkit.guest import Settings
from labkit.kernelnames import UML, UML_DEBUG, UML_GCOV
from labkit.say import LabError

FILE = {
    'file': 'drivers/infiniband/sw/rxe/rxe_cq.c',
    'lines': [{'line_number': number, 'count': count} for number, count in ((1, 2), (2, 0), (10, 0), (11, 0), (20, 0))],
    'functions': [
        {'name': 'rxe_cq_post', 'start_line': 1, 'end_line': 2, 'execution_count': 2},
        {'name': 'rxe_peek_cq', 'start_line': 10, 'end_line': 11, 'execution_count': 0},
        {'name': 'rxe_cq_other', 'start_line': 20, 'end_line': 20, 'execution_count': 0}],
}


def counts(*files):
    result = kernelcoverage.Counts()
    for file in files:
        result.add({'files': [file]})
    return result


class Table(unittest.TestCase):
    def test_leaves_out_what_is_out_of_reach_and_names_what_was_not_tried(self):
        text = kernelcoverage.table(counts(FILE), {'rxe_peek_cq': 'for users in the kernel'}, '7.2', 5)
        self.assertIn('Linux 7.2, 5 device tests: **33.3 % of the lines that a user program can reach** (1 of 3; 2 more', text)
        self.assertIn('| `rxe_peek_cq` | `rxe_cq.c` | 2 | for users in the kernel |', text)
        self.assertIn('| `rxe_cq_other` | `rxe_cq.c` | 1 | not tried yet |', text)

    def test_refuses_a_reason_for_a_function_that_ran_or_does_not_exist(self):
        for name in ('rxe_cq_post', 'rxe_gone'):
            with self.assertRaisesRegex(LabError, name):
                kernelcoverage.table(counts(FILE), {name: 'wrong'}, '7.2', 5)

    def test_counts_branches_by_line_and_number(self):
        with_branches = {**FILE, 'lines': [
            {'line_number': 1, 'count': 2, 'branches': [{'count': 2}, {'count': 0}]}, *FILE['lines'][1:]]}
        text = kernelcoverage.table(counts(with_branches), {'rxe_peek_cq': 'for users in the kernel'}, '7.2', 5)
        self.assertIn('and 50.0 % of all branches', text)
        self.assertIn('| 2 | 1 | 50.0 % |', text)

    def test_counts_a_line_of_a_header_once_however_many_files_include_it(self):
        result = counts(FILE, FILE)
        self.assertEqual((2, 1), result.of(result.functions['rxe_cq.c', 'rxe_cq_post']))
        self.assertEqual(4, result.functions['rxe_cq.c', 'rxe_cq_post'].runs)

    def test_ignores_other_parts_of_the_kernel(self):
        self.assertEqual({}, counts({**FILE, 'file': 'drivers/infiniband/core/cq.c'}).functions)
        uverbs = kernelcoverage.UVERBS
        self.assertTrue(uverbs.has('drivers/infiniband/core/uverbs_cmd.c'))
        self.assertTrue(uverbs.has('drivers/infiniband/core/rdma_core.h'))
        self.assertFalse(uverbs.has('drivers/infiniband/core/cq.c'))
        self.assertFalse(uverbs.has('drivers/infiniband/sw/rxe/uverbs.c'))

    def test_knows_which_lines_and_branches_ran(self):
        result = counts({**FILE, 'lines': [{'line_number': 1, 'count': 2, 'branches': [{'count': 2}, {'count': 0}]},
                                           {'line_number': 2, 'count': 0}]})
        self.assertEqual({('rxe_cq.c', 1), ('rxe_cq.c', (1, 0))}, result.reached())
        self.assertEqual([2], result.missed(result.functions['rxe_cq.c', 'rxe_cq_post']))


class Walks(unittest.TestCase):
    def walk(self, report):
        """Runs walks with a report of their tests; returns the exit code and the output."""
        command, lines = importlib.import_module('labkit.commands.kernel-coverage'), []
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(command, '_run_tests', lambda *_: Path(folder)), \
                mock.patch('labkit.kernelcoverage.read', lambda *_: counts(FILE)), \
                mock.patch.object(command, 'plain', lines.append), mock.patch('labkit.summary.plain', lines.append):
            Path(folder, 'junit').mkdir()
            Path(folder, 'junit', 'TEST-a.xml').write_text(report)
            code = command._walk(Settings(), {'walks': '5', 'seed': ''}, Path('/source'), [Path('/results')], counts())
        return code, '\n'.join(lines)

    def test_fail_if_one_contradicts_the_model(self):
        code, text = self.walk('<testsuite><testcase classname="SteeredWalksIT" name="walks"><failure>seed 7</failure></testcase></testsuite>')
        self.assertEqual(1, code)
        self.assertIn('5 walks reach 1 lines', text)
        self.assertIn('SteeredWalksIT#walks: seed 7', text)

    def test_pass_if_all_do_and_fail_if_none_ran(self):
        self.assertEqual(0, self.walk('<testsuite><testcase classname="SteeredWalksIT" name="walks"/></testsuite>')[0])
        self.assertEqual(1, self.walk('')[0])


class PartOfUverbs(unittest.TestCase):
    def test_names_the_functions_that_no_test_reaches(self):
        result = kernelcoverage.Counts(kernelcoverage.UVERBS)
        result.add({'files': [{**FILE, 'file': 'drivers/infiniband/core/uverbs_cmd.c'}]})
        text = kernelcoverage.plain_table(result)
        self.assertIn('20.0 % of the lines of uverbs (1 of 5)', text)
        self.assertIn('- `uverbs_cmd.c`: `rxe_peek_cq`, `rxe_cq_other`', text)


class Reasons(unittest.TestCase):
    def test_are_read_line_by_line(self):
        self.assertEqual({'rxe_a': 'since b c'}, kernelcoverage.out_of_reach('# head\n\nrxe_a   since b c\n'))

    def test_of_the_project_are_complete(self):
        reasons = kernelcoverage.out_of_reach(kernelcoverage.OUT_OF_REACH.read_text())
        self.assertTrue(all(reasons.values()))


class Builds(unittest.TestCase):
    def test_of_different_configurations_have_places_of_their_own(self):
        self.assertEqual(3, len({umlbuild.config_key(name) for name in (UML, UML_GCOV, UML_DEBUG)}))

    def test_begin_with_the_common_configuration(self):
        common = umlbuild.config_files(UML)
        for name in (UML_GCOV, UML_DEBUG):
            self.assertEqual(common, umlbuild.config_files(name)[:1])
            self.assertTrue(all(file.is_file() for file in umlbuild.config_files(name)))
