# SPDX-License-Identifier: Apache-2.0
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from labkit import kernelreports

KASAN = '''[   12.345678] rdma_rxe: loaded
[   12.400000] ==================================================================
[   12.400001] BUG: KASAN: slab-use-after-free in rxe_foo+0x12/0x40
[   12.400002] Read of size 4 at addr 0000000061234567 by task java/77
[   12.400003] Call Trace:
[   12.400004]  dump_stack_lvl+0x10/0x20
[   12.400005]  kasan_report+0xa0/0xc0
[   12.400006]  rxe_foo+0x12/0x40
[   12.400007]  rxe_bar+0x12/0x40
[   12.400008] ==================================================================
[   13.000000] eth0: link up
'''
LEAK = '''unreferenced object 0x0000000061a2b3c0 (size 64):
  comm "java", pid 77, jiffies 4294938113
  backtrace (crc 0):
    kmemleak_alloc+0x1/0x2
    __kmalloc_cache_noprof+0x2a/0x70
    rxe_create_mmap_info+0x22/0x99
unreferenced object 0x0000000061a2b3d0 (size 64):
  comm "java", pid 78, jiffies 4294938114
  backtrace (crc 0):
    rxe_create_mmap_info+0x22/0x99
'''


class Reports(unittest.TestCase):
    def test_are_found_in_a_log_with_their_place(self):
        [report] = kernelreports.find(KASAN)
        self.assertEqual('BUG: KASAN: slab-use-after-free in rxe_foo+0x12/0x40 (rxe_foo)', str(report))
        self.assertIn('rxe_bar', report.text)
        self.assertNotIn('eth0', report.text)

    def test_of_leaked_memory_have_one_title_for_one_place(self):
        titles = {str(report) for report in kernelreports.find(LEAK)}
        self.assertEqual({'unreferenced object … (size 64): (rxe_create_mmap_info)'}, titles)

    def test_are_not_made_of_ordinary_lines(self):
        self.assertEqual([], kernelreports.find('[    1.0] random: crng init done\n[    1.1] rxe0: bug in a name is none\n'))


class KnownReports(unittest.TestCase):
    def of(self, known):
        with tempfile.TemporaryDirectory() as folder:
            results, file = Path(folder), Path(folder, 'known')
            file.write_text(known)
            (results / 'console.log').write_text(KASAN)
            (results / 'kmemleak.txt').write_text(LEAK)
            with mock.patch.object(kernelreports, 'KNOWN', file):
                return kernelreports.unknown(results)

    def test_fail_nothing_and_all_others_do(self):
        self.assertEqual(['the kernel reported: BUG: KASAN: slab-use-after-free in rxe_foo+0x12/0x40 (rxe_foo)',
                          'the kernel reported 2 times: unreferenced object … (size 64): (rxe_create_mmap_info)'], self.of('# none\n'))
        self.assertEqual(1, len(self.of('unreferenced object.*rxe_create_mmap_info  since it is so\n')))
        self.assertEqual([], self.of('rxe_create_mmap_info  since it is so\nrxe_foo  and this, too\n'))

    def test_of_the_project_all_have_reasons(self):
        self.assertTrue(all(reason for _, reason in kernelreports.known(kernelreports.KNOWN.read_text())))
