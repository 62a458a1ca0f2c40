// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;
import org.apache.zookeeper.server.quorum.QuorumPeer.ServerState;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/// ZooKeeper's servers.
final class ZooKeeperServers {
    private static final int TICK_MILLIS = 2_000;
    private static final int MEMBERS = 3;

    private ZooKeeperServers() {}

    static AutoCloseable standalone(Path folder, int port) throws IOException, InterruptedException {
        var server = new ZooKeeperServer(
                Files.createDirectory(folder.resolve("snapshots")).toFile(),
                Files.createDirectory(folder.resolve("log")).toFile(),
                TICK_MILLIS);
        ServerCnxnFactory factory =
                ServerCnxnFactory.createFactory(new InetSocketAddress(Transports.HOST, port), 100);
        factory.startup(server);
        return factory::shutdown;
    }

    /// Returns the addresses of three members for a client.
    static String addresses(int port) {
        return IntStream.range(0, MEMBERS)
                .mapToObj(number -> Transports.HOST + ":" + (port + number))
                .collect(Collectors.joining(","));
    }

    /// Starts one member of three.
    ///
    /// @param number from 1
    /// @param port for clients of the first member
    static Member member(Path folder, int number, int port) throws IOException, ConfigException {
        Path own = Files.createDirectory(folder.resolve("member" + number));
        Files.writeString(own.resolve("myid"), Integer.toString(number));
        var properties = new Properties();
        properties.setProperty("dataDir", own.toString());
        properties.setProperty("tickTime", Integer.toString(TICK_MILLIS));
        properties.setProperty("initLimit", "10");
        properties.setProperty("syncLimit", "5");
        for (int other = 1; other <= MEMBERS; other++) {
            int base = port + 10 * other;
            properties.setProperty(
                    "server." + other,
                    Transports.HOST + ":" + base + ":" + (base + 1) + ";" + Transports.HOST + ":" + (port + other - 1));
        }
        var config = new QuorumPeerConfig();
        config.parseProperties(properties);
        var member = new Member();
        Thread.ofPlatform().daemon().name("member " + number).start(() -> {
            try {
                member.runFromConfig(config);
            } catch (IOException | AdminServerException e) {
                e.printStackTrace();
            }
        });
        return member;
    }

    /// A server that elects a leader with the others.
    static final class Member extends QuorumPeerMain implements AutoCloseable {
        boolean leads() {
            return quorumPeer != null && quorumPeer.getPeerState() == ServerState.LEADING;
        }
    }
}
