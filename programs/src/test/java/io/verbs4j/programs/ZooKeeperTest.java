// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(200)
@SuppressWarnings("try") // close() of a client may be interrupted, as the test may
class ZooKeeperTest {
    private static final int PORT = 22_310;
    private static final int FIRST_PORT_OF_QUORUM = 22_320;
    private static final int SESSION_MILLIS = 60_000;
    private static final int NODES = 200;
    /// The largest node that ZooKeeper accepts by default has 1 MiB.
    private static final int LARGE = 500_000;

    @TempDir Path folder;

    /// ZooKeeper reads these properties once.
    @BeforeAll
    static void setProperties() {
        System.setProperty("zookeeper.4lw.commands.whitelist", "*");
        System.setProperty("zookeeper.admin.enableServer", "false");
    }

    private static ZooKeeper connect(String addresses) throws IOException, InterruptedException {
        var connected = new CountDownLatch(1);
        var client = new ZooKeeper(addresses, SESSION_MILLIS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        assertThat(connected.await(100, TimeUnit.SECONDS)).isTrue();
        return client;
    }

    @Test
    void serverAndClientSpeak() throws Exception {
        try (var _ = ZooKeeperServers.standalone(folder, PORT)) {
            try (ZooKeeper client = connect(Transports.HOST + ":" + PORT)) {
                byte[] large = new byte[LARGE];
                new Random(LARGE).nextBytes(large);
                client.create("/large", large, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                assertThat(client.getData("/large", false, null)).isEqualTo(large);
                var changed = new CountDownLatch(1);
                client.exists("/last", event -> changed.countDown());
                var created = new CountDownLatch(NODES);
                for (int i = 0; i < NODES; i++) {
                    client.create("/large/" + i, new byte[i], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL,
                            (code, path, context, name) -> created.countDown(), null);
                }
                assertThat(created.await(60, TimeUnit.SECONDS)).isTrue();
                assertThat(client.getChildren("/large", false)).hasSize(NODES);
                client.create("/last", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                assertThat(changed.await(60, TimeUnit.SECONDS)).isTrue();
            }
            // Uses java.net.Socket.
            assertThat(FourLetterWordMain.send4LetterWord(Transports.HOST, PORT, "ruok")).isEqualTo("imok\n");
        }
        Transports.assertOnlyRdma(2);
    }

    /// The servers elect a leader and follow the leader over sockets of `java.net`.
    @Test
    void quorumOfThreeSurvivesItsLeader() throws Exception {
        var servers = new ArrayList<ZooKeeperServers.Member>();
        try {
            for (int number = 1; number <= 3; number++) {
                servers.add(ZooKeeperServers.member(folder, number, FIRST_PORT_OF_QUORUM));
            }
            try (ZooKeeper client = connect(ZooKeeperServers.addresses(FIRST_PORT_OF_QUORUM))) {
                create(client, "/before");
                ZooKeeperServers.Member leader =
                        servers.stream().filter(ZooKeeperServers.Member::leads).findFirst().orElseThrow();
                leader.close();
                servers.remove(leader);
                create(client, "/after");
                assertThat(client.getChildren("/", false)).contains("before", "after");
            }
        } finally {
            List.copyOf(servers).forEach(ZooKeeperServers.Member::close);
        }
        Transports.assertOnlyRdma(5);
    }

    /// Creates a node, and repeats that while the servers have no leader.
    private static void create(ZooKeeper client, String path) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (true) {
            try {
                client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                return;
            } catch (KeeperException.NodeExistsException e) {
                return;
            } catch (KeeperException.ConnectionLossException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }
}
