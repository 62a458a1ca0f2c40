# SPDX-License-Identifier: Apache-2.0
import unittest
import xml.etree.ElementTree as ElementTree

from .. import growth

HEAD = 'language,round,kind,count,create,destroy,bytes,use\n'
BOOT = HEAD + '''C,1,regions,10,1000,2000,4096,0
C,1,regions,1000,1000,2000,1024,0
Java,1,regions,10,3000,2000,0,0
Java,1,regions,1000,2000,1000,2048,0
'''
SLOWER = BOOT.replace('Java,1,regions,1000,2000', 'Java,1,regions,1000,6000')


class Growth(unittest.TestCase):
    def test_a_figure_is_the_median_over_boots_of_the_median_over_rounds(self):
        rounds = BOOT + 'C,2,regions,10,1400,2000,4096,0\nC,3,regions,10,9000,2000,4096,0\n'
        found = growth.medians([rounds, BOOT, SLOWER])
        self.assertEqual(found['regions'][10]['C']['create'], 1.0)
        self.assertEqual(found['regions'][1000]['Java']['create'], 2.0)
        self.assertEqual(growth.medians([rounds])['regions'][10]['C']['create'], 1.4)

    def test_the_table_has_a_row_for_the_largest_number_even_if_it_is_small(self):
        small = growth.medians([BOOT.replace('regions,1000', 'threads,64').replace('regions,10,', 'threads,1,')])
        self.assertEqual(['64 threads'], [line.split(' | ')[0].removeprefix('| ') for line in growth.table(small).splitlines()[2:]])

    def test_the_table_has_both_and_their_ratio_and_leaves_out_what_is_not_there(self):
        self.assertEqual(growth.table(growth.medians([BOOT])).splitlines()[2:], [
            '| 1000 memory regions | 1.0 | 2.0 | 2.00 | 2.0 | 1.0 | 0.50 | 1.0 | 2.0 | 2.00 | – | – | – |',
        ])

    def test_the_curves_have_a_point_for_each_number_and_language(self):
        picture = ElementTree.fromstring(growth.curves(growth.medians([BOOT])))
        self.assertEqual(len(list(picture.iter('{http://www.w3.org/2000/svg}circle'))), 8)


if __name__ == '__main__':
    unittest.main()
