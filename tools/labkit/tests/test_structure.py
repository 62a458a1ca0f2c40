# SPDX-License-Identifier: Apache-2.0
import ast
import unittest
from pathlib import Path

import labkit

LAB = Path(labkit.__file__).parent


def imports(path):
    """Returns the modules of the lab that a module imports, inside functions, too."""
    names = {file.stem for file in LAB.glob('*.py')}
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            found |= {node.module} if node.module in names else {alias.name for alias in node.names} & names
    return found


class Modules(unittest.TestCase):
    def test_form_no_circle(self):
        above = {file.stem: imports(file) for file in LAB.glob('*.py') if file.stem not in ('__init__', 'cli')}
        while lowest := [name for name, needed in above.items() if not needed & above.keys()]:
            for name in lowest:
                del above[name]
        self.assertEqual({}, above)

    def test_import_nothing_that_they_do_not_use(self):
        for file in [*LAB.glob('*.py'), *LAB.glob('commands/*.py')]:
            text = file.read_text()
            tree = ast.parse(text)
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            imported = {(alias.asname or alias.name).partition('.')[0] for node in ast.walk(tree)
                        if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
            with self.subTest(file.name):
                self.assertEqual(set(), imported - used)
