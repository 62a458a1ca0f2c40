# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from labkit import siw, umlbuild
from labkit.say import LabError


class Builds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def program(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755)
        return path

    def test_leave_out_what_the_compiler_does_not_know(self):
        log = "gcc: error: unrecognized command-line option ‘-fnew-thing=all’; did you mean …\n" \
              "gcc: error: unrecognized command-line option '-mother'\n"
        unknown = siw.unknown_options(log)
        self.assertEqual(['-fnew-thing=all', '-mother'], unknown)
        self.program('gcc', b'#!/bin/sh\nprintf "%s|" "$@"\n')
        siw.write_compiler(self.folder / 'compiler', unknown)
        done = subprocess.run([self.folder / 'compiler', '-c', '-mother', 'a b.c', '-fnew-thing=all', '-fmin-function-alignment=16', '-O2'],
                              env={'PATH': f'{self.folder}:/usr/bin:/bin'}, stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual('-c|a b.c|-falign-functions=16|-O2|', done.stdout)

    def test_run_programs_with_the_libraries_of_their_suite(self):
        self.program('lib/x/ld-linux-x86-64.so.2', b'#!/bin/sh\nprintf "%s|" "$@"\n')
        (self.folder / 'lib64').mkdir()
        (self.folder / 'lib64' / 'ld-linux-x86-64.so.2').symlink_to('/lib64/ld-linux-x86-64.so.2')
        libraries = self.folder / 'lib'
        for name in ('modpost', 'modpost.real-lsb-64', 'modpost.real-msb-64', 'fixdep'):
            self.program(f'kbuild/{name}', b'\x7fELF')
        script = self.program('kbuild/script.sh', b'#!/bin/sh\n')
        siw.use_libraries(self.folder / 'kbuild', libraries)
        for name, real in (('modpost', 'modpost.real-lsb-64'), ('fixdep', 'fixdep.elf')):
            done = subprocess.run([self.folder / 'kbuild' / name, 'a b'], stdout=subprocess.PIPE, text=True, check=True)
            self.assertEqual(f'--library-path|{libraries}/x|{self.folder}/kbuild/{real}|a b|', done.stdout)
        self.assertEqual(b'#!/bin/sh\n', script.read_bytes())

    def test_find_the_common_headers_where_they_were_unpacked(self):
        for text, expected in (('include /usr/src/linux-headers-6-common/Makefile\n', 'include {}/usr/src/linux-headers-6-common/Makefile\n'),
                               ('KBUILD_OUTPUT=/usr/src/x\nexport A := /usr/src/y\n', 'KBUILD_OUTPUT={}/usr/src/x\nexport A := {}/usr/src/y\n')):
            makefile = self.program('usr/src/headers/Makefile', text.encode())
            (makefile.parent / 'vmlinux').write_bytes(b'')
            siw.prepare_headers(self.folder, 'headers')
            self.assertEqual(expected.replace('{}', str(self.folder)), makefile.read_text())
            self.assertFalse(os.path.exists(makefile.parent / 'vmlinux'))


class UserModeLinux(unittest.TestCase):
    def test_is_not_built_without_what_we_asked_for(self):
        wanted = umlbuild.config_files('uml')[0].read_text()
        umlbuild.check_config(wanted, wanted)
        with self.assertRaisesRegex(LabError, 'CONFIG_RDMA_SIW=y'):
            umlbuild.check_config(wanted.replace('CONFIG_RDMA_SIW=y', '# CONFIG_RDMA_SIW is not set'), wanted)
