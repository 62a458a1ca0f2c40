# SPDX-License-Identifier: Apache-2.0
import gzip
import io
import os
import shutil
import struct
import subprocess
import tempfile
import threading
import time
import unittest
from concurrent import futures
from pathlib import Path
from unittest import mock

from labkit import apt, arch, bootimage, cpio, fetch, guest, kernelnames, kernels, kerneltree, places
from labkit.commands import test
from labkit.say import LabError, UsageError


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def kernel_tree(self, release='6.9-test', modules=('rdma_rxe.ko.xz',)):
        base = self.folder / 'lib' / 'modules' / release / 'kernel' / 'drivers'
        base.mkdir(parents=True)
        for module in modules:
            (base / module).write_bytes(b'')
        (self.folder / 'boot').mkdir(exist_ok=True)
        (self.folder / 'boot' / f'vmlinuz-{release}').write_bytes(b'')
        return self.folder


class Names(InAFolder):
    def test_that_stand_for_no_kernel_are_refused(self):
        with self.assertRaisesRegex(UsageError, "unknown kernel '5.10'"):
            kernelnames.check_name('5.10')

    def test_of_folders_stand_for_the_kernel_in_them(self):
        kernel = kernels.resolve(str(self.kernel_tree()))
        self.assertEqual((self.folder.name, '6.9-test', False), (kernel.name, kernel.release, kernel.user_mode))

    def test_of_folders_without_rxe_or_with_two_releases_are_refused(self):
        tree = self.kernel_tree(modules=('veth.ko',))
        with self.assertRaisesRegex(LabError, 'has no rdma_rxe module'):
            kernels.resolve(str(tree))
        self.kernel_tree('6.10-test')
        with self.assertRaisesRegex(LabError, 'exactly one kernel release, found 2'):
            kernels.resolve(str(tree))

    def test_of_series_stand_for_the_newest_in_the_cache(self):
        for release in ('6.12.9+deb13-amd64', '6.12.107+deb13-amd64', '6.12.30+deb13-amd64'):
            (self.folder / 'kernels' / '6.12' / release / 'lib' / 'modules').mkdir(parents=True)
        (self.folder / 'kernels' / '6.12' / '.incoming' / 'lib' / 'modules').mkdir(parents=True)
        with mock.patch.dict(os.environ, VERBS4J_LAB_CACHE=str(self.folder)):
            self.assertEqual('6.12.107+deb13-amd64', kerneltree.cached('6.12')[-1].name)
            self.assertEqual(3, len(kerneltree.cached('6.12')))

    def test_of_other_processors_have_folders_of_their_own(self):
        (self.folder / 'kernels' / '6.12-arm64' / '6.12.9-arm64' / 'lib' / 'modules').mkdir(parents=True)
        with mock.patch.dict(os.environ, VERBS4J_LAB_CACHE=str(self.folder)):
            self.assertEqual([], kerneltree.cached('6.12'))
            self.assertEqual('6.12.9-arm64', kerneltree.cached('6.12', arch.ARM64)[-1].name)

    def test_that_stand_for_kernels_of_this_machine_alone_are_refused_for_other_processors(self):
        for name in ('uml', 'host'):
            with self.subTest(name), self.assertRaisesRegex(UsageError, 'for arm64 use one of: 6.1 6.12 sid'):
                kernels.resolve(name, arch.ARM64)

    def test_of_modules_may_have_dashes_in_their_files(self):
        kernel = kernels.resolve(str(self.kernel_tree(modules=('rdma_rxe.ko', 'crc32-pclmul.ko.zst'))))
        self.assertEqual('crc32-pclmul.ko.zst', kernel.find_module('crc32_pclmul').name)
        self.assertIsNone(kernel.find_module('crc32'))


class Modules(InAFolder):
    def test_come_after_what_they_depend_on_and_once(self):
        needs = {'a': 'b,c', 'b': 'c', 'c': '', 'rdma_rxe': '', 'own': 'b'}
        tree = self.kernel_tree(modules=tuple(f'{name}.ko' for name in needs if name != 'own'))
        kernel = kernels.resolve(str(tree))
        own = self.folder / 'own.ko'
        with mock.patch('labkit.programs.output', lambda *words: needs[Path(words[-1]).stem]):
            files = bootimage.module_closure(kernel, ('built_in', 'a', 'b'), [own])
        self.assertEqual(['c', 'b', 'a', 'own'], [file.stem for file in files])


class Packages(unittest.TestCase):
    def test_of_other_flavours_are_left_out(self):
        lists = {'linux-image': ['linux-image-6.12.9+deb13-amd64', 'linux-image-6.12.10+deb13-amd64', 'linux-image-6.12.11+deb13-cloud-amd64',
                                 'linux-image-6.12.12+deb13-rt-amd64', 'linux-image-6.12.13+deb13-amd64-dbg'], 'linux-binary': []}
        source = mock.Mock(search=lambda pattern: lists[pattern[1:].rpartition('-6')[0]])
        self.assertEqual('linux-image-6.12.10+deb13-amd64', fetch.newest_package(source, '6.12'))

    def test_of_another_processor_bear_its_name(self):
        lists = {'linux-binary': ['linux-binary-7.2.13+deb14-arm64'], 'linux-image': []}
        source = mock.Mock(search=lambda pattern: lists[pattern[1:].partition('-[')[0]] if pattern.endswith('-arm64$') else [])
        self.assertEqual('linux-binary-7.2.13+deb14-arm64', fetch.newest_package(source, '[0-9]', arch.ARM64))
        self.assertIsNone(fetch.newest_package(source, '[0-9]'))

    def test_come_from_the_archive_of_this_machine(self):
        targets = '''http://a/debian-security bookworm-security
http://other/packages bookworm
http://b/debian trixie
http://c/debian/ bookworm
'''
        self.assertEqual('http://c/debian/', apt.choose_archive(targets, 'bookworm'))

    def test_come_from_an_archive_of_debian_on_other_distributions(self):
        fresh, known, public = '--no-release-info', 'Origin: Debian', apt.PUBLIC_ARCHIVE
        for distribution, targets, expected in (('ubuntu', {fresh: 'http://a/ubuntu/ noble'}, public),
                                                ('ubuntu', {fresh: 'http://a/ubuntu/ noble', known: 'http://c/ trixie'}, 'http://c/'),
                                                ('debian', {fresh: 'http://c/ trixie'}, 'http://c/'), ('debian', {}, public)):
            with self.subTest(distribution), mock.patch('labkit.apt.os_release', {'ID': distribution}.get), \
                    mock.patch('labkit.programs.output', lambda *words, targets=targets: targets.get(words[-1], '')):
                self.assertEqual(expected, apt.archive_uri())


class Fetches(InAFolder):
    class Own:
        release = '6.12.8-amd64'

        def search(self, pattern):
            return [f'linux-image-{self.release}'] if 'image' in pattern else []

        def download(self, package, folder):
            folder.mkdir(parents=True)
            raise LabError('404 Not Found')

    class Current(Own):
        release = '6.12.9-amd64'

        def __init__(self, *_, **__):
            pass

        def download(self, package, folder):
            folder.mkdir(parents=True)

    def fetch(self):
        with mock.patch.dict(os.environ, VERBS4J_LAB_CACHE=str(self.folder)), mock.patch('labkit.fetch.progress'), \
                mock.patch('labkit.fetch.arrange_tree'), mock.patch('labkit.fetch.Apt', self.Own), \
                mock.patch('labkit.fetch.PrivateApt', self.Current):
            fetch._fetch_newest('6.12', arch.AMD64)

    def test_read_current_lists_if_those_of_the_machine_name_a_removed_package(self):
        self.fetch()
        self.assertEqual(['6.12.9-amd64'], [path.name for path in (self.folder / 'kernels' / '6.12').iterdir()])

    def test_end_if_the_package_of_current_lists_cannot_be_fetched(self):
        with mock.patch.object(self.Current, 'download', self.Own.download), self.assertRaisesRegex(LabError, '404'):
            self.fetch()


class Images(InAFolder):
    def test_may_be_made_by_two_guests_at_once(self):
        kernel, both = kernels.resolve(str(self.kernel_tree())), threading.Barrier(2)

        def make(_, *arguments):
            arguments[-1].touch()
            both.wait(10)
        with mock.patch.dict(os.environ, VERBS4J_LAB_CACHE=str(self.folder)), mock.patch('labkit.bootimage.progress'), \
                mock.patch('labkit.bootimage.unpack_kernel', make), mock.patch('labkit.bootimage._make_initrd', make), \
                futures.ThreadPoolExecutor() as guests:
            images = list(guests.map(bootimage.prepare, [kernel, kernel]))
        self.assertTrue(images[0].initrd.exists())
        self.assertEqual(images[0], images[1])

    def test_of_a_release_stay_while_they_are_used(self):
        kernel, long_ago = kernels.resolve(str(self.kernel_tree())), time.time() - bootimage.UNUSED - 9

        def make(_, *arguments):
            arguments[-1].write_bytes(b'image')
        with mock.patch.dict(os.environ, VERBS4J_LAB_CACHE=str(self.folder)), mock.patch('labkit.bootimage.progress'), \
                mock.patch('labkit.bootimage.unpack_kernel', make), mock.patch('labkit.bootimage._make_initrd', make):
            used, unused = bootimage.prepare(kernel), bootimage.prepare(kernel, network=True)
            for file in (used.initrd, used.unpacked, unused.initrd, unused.unpacked):
                os.utime(file, (long_ago, long_ago))
            self.assertEqual(used, bootimage.prepare(kernel))
            unpacked = self.folder / 'boot' / f'{kernel.release}-other.vmlinux'
            unpacked.symlink_to('removed')  # by another lab after the list of files was read
            new = bootimage.prepare(kernel, extra_modules=[self.folder])
        self.assertEqual([True, True, False, False], [file.exists() for file in (used.initrd, used.unpacked, unused.initrd, unused.unpacked)])
        self.assertTrue(new.initrd.exists())

    def test_are_found_inside_a_bzimage_without_the_size_behind_them(self):
        kernel = os.urandom(5000)
        packed = gzip.compress(kernel)
        head = bytearray(1024)
        head[0x1f1] = 1
        head[0x248:0x250] = struct.pack('<II', 32, len(packed) + 4)
        (self.folder / 'bzImage').write_bytes(bytes(head) + bytes(32) + packed + struct.pack('<I', len(kernel)) + b'rest')
        bootimage.unpack_kernel(self.folder / 'bzImage', self.folder / 'vmlinux')
        self.assertEqual(kernel, (self.folder / 'vmlinux').read_bytes())

    def test_packed_in_an_unknown_way_are_left_empty(self):
        for data in (b'', bytes(4096)):
            (self.folder / 'bzImage').write_bytes(data)
            bootimage.unpack_kernel(self.folder / 'bzImage', self.folder / 'vmlinux')
            self.assertEqual(b'', (self.folder / 'vmlinux').read_bytes())

    @unittest.skipUnless(shutil.which('busybox'), 'needs busybox')
    def test_of_initrds_unpack_to_what_was_put_in(self):
        archive = io.BytesIO()
        writer = cpio.Writer(archive)
        writer.folder('bin')
        writer.file('bin/run', b'#!abc', executable=True)
        writer.file('data', bytes(range(256)) * 33)
        writer.end()
        subprocess.run(['busybox', 'cpio', '-i', '-d'], input=archive.getvalue(), cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        self.assertEqual(b'#!abc', (self.folder / 'bin' / 'run').read_bytes())
        self.assertEqual(0o755, (self.folder / 'bin' / 'run').stat().st_mode & 0o777)
        self.assertEqual(bytes(range(256)) * 33, (self.folder / 'data').read_bytes())


class Jobs(InAFolder):
    def test_run_the_command_word_by_word_in_the_callers_folder(self):
        script = guest.command_script(['printf', '%s|', 'a b', "it's", '$HOME', ''], f'{self.folder}', '6.1', False)
        script = script.replace('/run/lab/pid', f'{self.folder}/pid').replace('ulimit -Hn 65536\n', '')
        done = subprocess.run(['bash', '-c', script], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual("a b|it's|$HOME||", done.stdout)

    def test_have_options_for_our_programs_unless_the_command_brings_its_own(self):
        for command, expected in ((['printenv'], '-Xa -Xb\n'), (['env', 'VERBS4J_JAVA_OPTIONS=-Xc', 'printenv'], '-Xc\n')):
            script = guest.command_script([*command, 'VERBS4J_JAVA_OPTIONS'], f'{self.folder}', '6.1', False, '-Xa -Xb')
            script = script.replace('/run/lab/pid', f'{self.folder}/pid').replace('ulimit -Hn 65536\n', '')
            self.assertEqual(expected, subprocess.run(['bash', '-c', script], stdout=subprocess.PIPE, text=True, check=True).stdout)

    def test_name_the_folders_that_another_root_file_system_is_to_show(self):
        kernel = mock.Mock(modules=places.REPOSITORY / 'target' / 'modules')
        settings = guest.Settings(arch=arch.ARM64)
        with mock.patch('pathlib.Path.cwd', lambda: self.folder):
            self.assertEqual({str(places.REPOSITORY), str(self.folder)},
                             set(guest.shared(guest.Guest(settings, kernel, self.folder)).split('\n')))
        self.assertEqual('', guest.shared(guest.Guest(guest.Settings(), kernel, self.folder)))

    def test_refuse_what_another_processor_does_not_support_before_a_fetch(self):
        for settings in (guest.Settings(arch=arch.ARM64, siw=True), guest.Settings(arch=arch.ARM64, hide_rdma_core=True)):
            with mock.patch('labkit.kernels.resolve') as resolve, self.assertRaisesRegex(UsageError, 'on amd64 only'):
                guest.prepare(settings, ['true'])
            resolve.assert_not_called()
        with mock.patch('labkit.packages.ensure_with_jdk') as ensure, self.assertRaisesRegex(UsageError, 'on amd64 only'):
            test.run(['--arch', 'arm64', '--without-rdma-core'])
        ensure.assert_not_called()

    def test_have_a_new_folder_each_and_a_link_to_the_latest(self):
        with mock.patch.dict(os.environ, VERBS4J_LAB_RESULTS=str(self.folder)):
            first, second = guest.make_results('6.1'), guest.make_results('6.1')
        self.assertNotEqual(first, second)
        self.assertEqual(second.resolve(), (self.folder / '6.1-latest').resolve())
