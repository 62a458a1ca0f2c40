# SPDX-License-Identifier: Apache-2.0
"""Determines the guests that a pattern of --tests needs. A guest without matching test classes is not booted."""
import re
import zipfile


def of_jars(folder):
    """Returns the names of all test classes for guests."""
    [jar] = folder.glob('verbs4j-tests-*-tests.jar')
    with zipfile.ZipFile(jar) as archive:
        names = [name.removesuffix('.class').replace('/', '.') for name in archive.namelist() if name.endswith('.class')]
    return [name for name in names if name.endswith('IT')]


def for_any_device(folder):
    """Returns the names of the test classes that run over rxe and over siw, which have the annotation AnyDevice."""
    [jar] = folder.glob('verbs4j-tests-*-tests.jar')
    with zipfile.ZipFile(jar) as archive:
        marked = [name for name in archive.namelist()
                  if name.endswith('IT.class') and b'Lio/verbs4j/tests/support/AnyDevice;' in archive.read(name)]
    return {name.removesuffix('.class').replace('/', '.') for name in marked}


def fitting(pattern, names):
    """Returns the names of test classes that match a pattern; all for an empty one."""
    part = pattern.partition('#')[0]
    fits = re.compile('.*'.join(map(re.escape, part.split('*'))))
    return [name for name in names if fits.search(name)]


def guests(pattern, names, any_device=frozenset()):
    """Returns whether the usual guest, the one with siw, and the bare one are needed."""
    found = fitting(pattern, names)
    # Tests for the bare guest are identified by their names, which a test checks.
    bare = [name for name in found if re.search(r'[.]Bare[^.]*IT$', name)]
    siw = [name for name in found if re.search(r'[.][^.]*Siw[^.]*IT$', name)]
    return len(found) > len(bare) + len(siw), bool(siw) or not any_device.isdisjoint(found), bool(bare)
