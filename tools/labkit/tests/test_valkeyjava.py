# SPDX-License-Identifier: Apache-2.0
import importlib
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from labkit import valkeyjava
from labkit.junit import Failure, Sum
from labkit.say import LabError


class Servers(unittest.TestCase):
    def test_are_those_without_cluster_and_sentinel(self):
        makefile = '''\
define VALKEY1_CONF
port 6379
endef

define VALKEY_SENTINEL1
port 26379
sentinel monitor mymaster 127.0.0.1 6379 1
endef

define VALKEY_CLUSTER_NODE1_CONF
port 7379
cluster-enabled yes
endef

define STUNNEL_CONF
accept = 127.0.0.1:6390
endef
'''
        self.assertEqual({'VALKEY1_CONF': 'port 6379\n'}, valkeyjava.servers(makefile))


class Tests(unittest.TestCase):
    def test_leave_out_what_cannot_run_over_rdma(self):
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / 'target' / 'test-classes' / 'io' / 'valkey'
            for name in ('JedisTest', 'JedisClusterTest', 'SSLJedisTest', 'commands/jedis/SentinelCommandsTest', 'mocked/PipeliningTest',
                         'providers/MultiClusterPooledConnectionProviderTest', 'util/RedisVersionUtil'):
                file = package / f'{name}.class'
                file.parent.mkdir(parents=True, exist_ok=True)
                file.touch()
            self.assertEqual(['io.valkey.JedisTest', 'io.valkey.providers.MultiClusterPooledConnectionProviderTest'],
                             valkeyjava.tests(Path(folder)))


class Outcomes(unittest.TestCase):
    def test_contain_classes_that_did_not_end_and_servers_that_crashed(self):
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder)
            (results / 'junit' / 'a').mkdir(parents=True)
            (results / 'junit' / 'a' / 'TEST-1.xml').write_text(
                '<testsuite><testcase classname="a" name="x"/><testcase classname="a" name="y"><error>no</error></testcase></testsuite>')
            (results / 'servers').mkdir()
            (results / 'servers' / 'one.log').write_text('# valkey 9.1.2 crashed by signal: 11')
            (results / 'servers' / 'two.log').write_text('# ready')
            sums = valkeyjava.outcome(results, ['a', 'b'])
        self.assertEqual((1, ['a#y', 'b', 'one.log']), (sums.passed, [failure.name for failure in sums.failures]))


class Comparisons(unittest.TestCase):
    def test_list_what_fails_on_one_transport_only(self):
        both, one, other = Failure('a#both', 'why'), Failure('a#one', 'lost'), Failure('a#other', 'slow')
        self.assertEqual(('''\
       passed  failed  skipped
TCP         5       2        1
RDMA        6       2        0

failed over RDMA only:
  a#one: lost

failed over TCP only:
  a#other: slow''', True), valkeyjava.comparison(Sum(passed=5, skipped=1, failures=[both, other]), Sum(passed=6, failures=[both, one])))

    def test_find_nothing_that_fails_on_both_transports(self):
        both = Failure('a#both', 'why')
        _, worse = valkeyjava.comparison(Sum(failures=[both, Failure('a#other', 'slow')]), Sum(passed=1, failures=[both]))
        self.assertFalse(worse)

    def test_find_that_nothing_ran(self):
        with tempfile.TemporaryDirectory() as folder:
            nothing = valkeyjava.outcome(Path(folder), ['a', 'b'])
        text, worse = valkeyjava.comparison(nothing, nothing)
        self.assertTrue(worse, text)

    def test_are_not_made_after_a_guest_without_a_server(self):
        command = importlib.import_module('labkit.commands.valkey-java')
        with mock.patch.multiple(command, packages=mock.DEFAULT, java=mock.DEFAULT, valkey=mock.DEFAULT,
                                 valkeyjava=mock.Mock(tests=lambda _: ['a'])), \
                mock.patch('labkit.guest.run', return_value=mock.Mock(code=1, results='results')), self.assertRaisesRegex(LabError, 'exit code 1'):
            command.run(['.'])


if __name__ == '__main__':
    unittest.main()
