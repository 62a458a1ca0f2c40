# SPDX-License-Identifier: Apache-2.0
import unittest

from labkit import peers


class Tables(unittest.TestCase):
    def test_show_medians_of_boots_and_the_range_of_their_ratios(self):
        boots = ['a,x,1,10\na,x,2,20\na,x,3,30\na,y,1,10\nb,y,1,1234567\n', 'a,x,1,40\na,y,1,80\n', 'a,x,1,10\na,y,1,10\n']
        self.assertEqual('''\
| | x | y | y / x | all boots |
| --- | --- | --- | --- | --- |
| a | 20.0 | 10.0 | 1.00 | 0.50 to 2.00 |
| b | – | 1,234,567 | – | – |
''', peers.table(boots))

    def test_ratios_compare_figures_of_the_same_boot(self):
        self.assertIn('| a | 20.0 | 40.0 | 1.00 | 1.00 to 1.00 |', peers.table(['a,x,1,30\n', 'a,x,1,10\na,y,1,10\n', 'a,y,1,70\n']))

    def test_show_no_ratio_to_a_figure_of_zero(self):
        self.assertIn('| a | 0.0 | 5.0 | – | – |', peers.table(['a,x,1,0\na,y,1,5\n']))

    def test_show_one_program_alone(self):
        self.assertEqual('''\
| | x |
| --- | --- |
| a | 1.5 |
''', peers.table(['a,x,1,1.5\n']))
