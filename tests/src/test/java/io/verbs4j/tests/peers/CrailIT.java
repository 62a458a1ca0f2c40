// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.cm.CmPrograms;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Apache Crail, a distributed store: an unchanged client and an unchanged storage server, which call a name node over
/// DaRPC. The client reads and writes the memory of the storage server by RDMA.
@DeviceTest
@RealKernel("processes that share a device")
@Needs.OneKernel
@Needs.LongRun("several Java processes")
class CrailIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);
    private static final String ADDRESS = "10.9.0.2";
    private static final String NAME_NODE_PORT = "9060";
    private static final String STORAGE_PORT = "50020";
    private static final int BLOCKS = 64;
    private static final int PACKET_BYTES = 1024;

    @TempDir Path folder;

    /// @param type Crail's two kinds of clients: a thread polls for all, or each caller for itself
    @ParameterizedTest
    @ValueSource(strings = "active")
    void storesFiles(String type) throws Exception {
        configure(type);
        try (var nameNode = start(CrailNameNode.class.getName())) {
            CmPrograms.awaitListener(NAME_NODE_PORT);
            try (var storage = start("org.apache.crail.storage.StorageServer")) {
                Eventually.until(LIMIT, () -> nameNode.output().contains("free blocks: " + BLOCKS),
                        () -> nameNode.output() + storage.output());
                long before = sentPackets();
                try (
                        var client = start(CrailClient.class.getName(), "-t createFile -f /directory -k 20",
                                "-t write -f /file -s 65536 -k 100", "-t readSequential -f /file -s 65536 -k 100",
                                "-t readRandom -f /file -s 4096 -k 500", "-t getFile -f /file -k 100")) {
                    String output = client.await(LIMIT).requireSuccess().output();
                    assertThat(output).contains("entry /folder/file", "all bytes are right");
                    assertThat(output.lines().filter(line -> line.startsWith("sumbytes")))
                            .containsExactly("sumbytes 6553600.0", "sumbytes 6553600.0", "sumbytes 2048000.0");
                    assertThat(output).endsWith("all experiments ended\n");
                }
                assertThat(sentPackets() - before)
                        .as("packets of a file that is written and read")
                        .isGreaterThan(2 * CrailClient.BYTES / PACKET_BYTES);
            }
        }
    }

    private static long sentPackets() {
        return Rxe.counter(Rxe.LEFT, "sent_pkts") + Rxe.counter(Rxe.RIGHT, "sent_pkts");
    }

    private void configure(String type) throws IOException {
        var network = NetworkInterface.getByInetAddress(InetAddress.getByName(ADDRESS));
        Files.createDirectories(folder.resolve("conf"));
        Files.writeString(folder.resolve("conf/crail-site.conf"), """
            crail.namenode.address crail://%1$s:%2$s
            crail.namenode.rpctype org.apache.crail.namenode.rpc.darpc.DaRPCNameNode
            crail.namenode.darpc.type %3$s
            crail.namenode.darpc.connecttimeout 60000
            crail.rpctimeout 60000
            crail.datatimeout 60000
            crail.cachepath %4$s/cache
            crail.cachelimit 16777216
            crail.regionsize 16777216
            crail.blocksize 1048576
            crail.buffersize 65536
            crail.slicesize 65536
            crail.storage.types org.apache.crail.storage.rdma.RdmaStorageTier
            crail.storage.rdma.type %3$s
            crail.storage.rdma.interface %5$s
            crail.storage.rdma.port %6$s
            crail.storage.rdma.datapath %4$s/data
            crail.storage.rdma.allocationsize 16777216
            crail.storage.rdma.storagelimit 67108864
            crail.storage.rdma.connecttimeout 60000
            # A client on the storage server's machine would read and write the server's file without RDMA.
            crail.storage.rdma.localmap false
            """.formatted(ADDRESS, NAME_NODE_PORT, type, folder, network.getName(), STORAGE_PORT));
    }

    private ExternalProcess.Running start(String main, String... arguments) {
        var command = new ArrayList<>(JavaProcess.command(main, DisniPrograms.classPath("disni-2.1", "darpc-1.9",
                "crail-rpc-darpc-1.1-incubating", "crail-storage-1.1-incubating",
                "crail-storage-rdma-1.1-incubating")));
        command.addAll(1, List.of("--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED")); // for Crail
        command.addAll(0, List.of("env", "CRAIL_HOME=" + folder));
        command.addAll(List.of(arguments));
        return ExternalProcess.of(command).start();
    }
}
