# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from labkit import places, valkey
from labkit.apt import Apt
from labkit.say import LabError


class Builds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.built = []
        for target, replacement in ((places, {'cache': lambda: self.folder / 'cache', 'REPOSITORY': self.folder}),
                                    (valkey, {'available': lambda: True, '_build': self.build, 'progress': lambda text: None})):
            patch = mock.patch.multiple(target, **replacement)
            patch.start()
            self.addCleanup(patch.stop)

    def build(self, final):
        final.mkdir(parents=True)
        self.built.append(final.name)

    def ensure(self, version):
        archive = {'side_effect': LabError('no archive')} if version is None else {}
        with mock.patch.object(valkey, 'PrivateApt', **archive) as apt:
            apt.return_value.source_version.return_value = version
            valkey.ensure()
        return (self.folder / 'target' / 'lab' / 'valkey').readlink().name

    def test_are_made_once_for_each_version(self):
        self.assertEqual(['9.1.2', '9.1.2', '9.1.10'], [self.ensure(version) for version in ('9.1.2', '9.1.2', '9.1.10')])
        self.assertEqual(['9.1.2', '9.1.10'], self.built)

    def test_are_used_while_the_archive_cannot_be_read(self):
        with self.assertRaises(LabError):
            self.ensure(None)
        self.ensure('9.1.2')
        self.ensure('9.1.10')
        self.assertEqual('9.1.10', self.ensure(None))

    def test_have_the_version_without_the_revision_of_the_packaging(self):
        for text, expected in (('Package: valkey\nVersion: 9.1.2-1\n', '9.1.2'), ('Version: 1:9.1.2+dfsg-2\n', '9.1.2+dfsg'),
                               ('Version: 9.1.10-1\nStandards-Version: 4.7.2\n\nVersion: 9.1.9-3\n', '9.1.10')):
            with mock.patch('labkit.programs.output', return_value=text):
                self.assertEqual(expected, Apt().source_version('valkey'))
        with mock.patch('labkit.programs.output', return_value=''), self.assertRaises(LabError):
            Apt().source_version('valkey')
