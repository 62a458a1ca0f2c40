// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three brokers of Kafka, each in its own process, in two guests, whose cable loses packets. The clients and two
/// brokers are in the first guest. One of these brokers is killed, so that each further record crosses the cable.
@Tag("long-run")
@Timeout(2400)
class KafkaClusterTest {
    private static final String INTERFACE = "eth0";
    private static final String FIRST_GUEST = "10.9.0.1";
    private static final String SECOND_GUEST = "10.9.0.2";
    private static final List<String> HOSTS = List.of(FIRST_GUEST, FIRST_GUEST, SECOND_GUEST);
    private static final int PORT = 22_421;
    private static final int END_PORT = 22_431;
    private static final int KILLED = 0;
    private static final int STAYING = 1;
    private static final int REMOTE = 2;
    private static final int RECORDS = 4_000;

    @TempDir Path folder;

    private static KafkaSetup setup(Path folder) throws Exception {
        return new KafkaSetup(folder, "PLAINTEXT", HOSTS, PORT);
    }

    private static String run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(command + ": " + output).isZero();
        return output;
    }

    /// From now on, this guest loses one of a hundred packets that it sends.
    private static void losePackets() throws IOException, InterruptedException {
        run("tc qdisc add dev " + INTERFACE + " root netem limit 100000 loss 1%");
    }

    private static void assertLoss() throws IOException, InterruptedException {
        String statistics = run("tc -s qdisc show dev " + INTERFACE);
        System.out.println(statistics);
        assertThat(statistics).contains("(dropped ").doesNotContain("(dropped 0,");
    }

    /// In the second guest: runs a broker until the test connects.
    public static void main(String[] arguments) throws Exception {
        losePackets();
        Process broker = setup(Files.createTempDirectory("kafka")).start(REMOTE);
        try (var end = new ServerSocket(END_PORT, 1, InetAddress.getByName(SECOND_GUEST))) {
            end.accept().close();
            assertThat(broker.isAlive()).isTrue();
        } finally {
            broker.destroyForcibly();
        }
        assertLoss();
    }

    @Test
    void noAcknowledgedRecordIsLost() throws Exception {
        losePackets();
        KafkaSetup kafka = setup(folder);
        Process killed = kafka.start(KILLED);
        Process staying = kafka.start(STAYING);
        try {
            produceAndConsume(kafka, killed);
            assertThat(killed.isAlive()).isFalse();
            assertThat(staying.isAlive()).isTrue();
        } finally {
            killed.destroyForcibly();
            staying.destroyForcibly();
        }
        new Socket(SECOND_GUEST, END_PORT).close();
        assertLoss();
        Transports.assertOnlyRdma(4, 0);
    }

    private static void produceAndConsume(KafkaSetup kafka, Process killed) throws Exception {
        Map<String, Object> client = kafka.client();
        client.put("default.api.timeout.ms", "900000");
        client.put("delivery.timeout.ms", "900000");
        client.put("max.block.ms", "900000");
        // The first broker of a partition is its leader.
        Map<Integer, List<Integer>> partitions =
                Map.of(0, List.of(KILLED, STAYING, REMOTE), 1, List.of(REMOTE, STAYING, KILLED));
        try (Admin admin = Admin.create(client)) {
            while (admin.describeCluster().nodes().get(900, TimeUnit.SECONDS).size() < HOSTS.size()) {
                Thread.sleep(100);
            }
            admin.createTopics(List.of(new NewTopic(KafkaSetup.TOPIC, partitions)))
                    .all()
                    .get(900, TimeUnit.SECONDS);
        }
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                int number = i;
                if (number == RECORDS / 2) {
                    producer.flush();
                } else if (number == RECORDS * 3 / 4) {
                    killed.destroyForcibly(); // while records are in flight
                }
                producer.send(KafkaSetup.record(number), (metadata, failure) -> {
                    if (failure == null) {
                        acknowledged.add(number);
                    }
                });
            }
        }
        System.out.println("acknowledged: " + acknowledged.size() + " of " + RECORDS);
        assertThat(acknowledged).hasSizeGreaterThan(RECORDS * 3 / 4); // also some that followed the broker's end
        assertThat(kafka.consume(acknowledged)).doesNotHaveDuplicates();
    }
}
