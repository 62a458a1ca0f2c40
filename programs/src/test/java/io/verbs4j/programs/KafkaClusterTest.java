// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three brokers of Kafka, each in its own process, on a wire that loses one packet of a hundred. One broker is killed.
@Tag("long-run")
@Timeout(2400)
class KafkaClusterTest {
    private static final int PORT = 22_421;
    private static final int BROKERS = 3;
    private static final int RECORDS = 4_000;
    private static final List<String> INTERFACES = List.of("veth0", "veth1");

    @TempDir Path folder;
    private final List<Process> brokers = new ArrayList<>();

    private static String run(String command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(command + ": " + output).isZero();
        return output;
    }

    /// Without the route, the address is its own peer, and no packet crosses the wire.
    @BeforeEach
    void losePackets() throws Exception {
        run("ip rule add pref 25 iif lo to " + Transports.HOST + " lookup 101");
        for (String each : INTERFACES) {
            run("tc qdisc add dev " + each + " root netem limit 100000 loss 1%");
        }
    }

    @AfterEach
    void loseNoPackets() throws Exception {
        brokers.forEach(Process::destroyForcibly);
        try {
            for (String each : INTERFACES) {
                run("tc qdisc delete dev " + each + " root");
            }
        } finally {
            run("ip rule delete pref 25");
        }
    }

    private static void assertLoss() throws IOException, InterruptedException {
        for (String each : INTERFACES) {
            String statistics = run("tc -s qdisc show dev " + each);
            System.out.println(statistics);
            assertThat(statistics).doesNotContain("(dropped 0,").contains("(dropped ");
        }
    }

    private Process start(int number, Map<String, String> configuration) throws IOException {
        var properties = new Properties();
        properties.putAll(configuration);
        Path file = folder.resolve(number + ".properties");
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments()); // among them the agent
        command.addAll(
                List.of("-Xmx300m", "-cp", System.getProperty("java.class.path"), "kafka.Kafka", file.toString()));
        return new ProcessBuilder(command).inheritIO().start();
    }

    @Test
    void noAcknowledgedRecordIsLost() throws Exception {
        var kafka = new KafkaSetup(folder, "PLAINTEXT", BROKERS, PORT);
        for (int number = 0; number < BROKERS; number++) {
            brokers.add(start(number, kafka.broker(number)));
        }
        Map<String, Object> client = kafka.client();
        client.put("default.api.timeout.ms", "900000");
        int leader;
        try (Admin admin = Admin.create(client)) {
            admin.createTopics(List.of(new NewTopic(KafkaSetup.TOPIC, 2, (short) BROKERS)))
                    .all()
                    .get(900, TimeUnit.SECONDS);
            leader = admin.describeTopics(List.of(KafkaSetup.TOPIC))
                    .allTopicNames()
                    .get(900, TimeUnit.SECONDS)
                    .get(KafkaSetup.TOPIC)
                    .partitions()
                    .getFirst()
                    .leader()
                    .id();
        }
        Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        client.put("delivery.timeout.ms", "900000");
        client.put("max.block.ms", "900000");
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                int number = i;
                if (number == RECORDS / 2) {
                    producer.flush();
                } else if (number == RECORDS * 3 / 4) {
                    brokers.get(leader).destroyForcibly(); // while records are in flight
                }
                producer.send(KafkaSetup.record(number), (metadata, failure) -> {
                    if (failure == null) {
                        acknowledged.add(number);
                    }
                });
            }
        }
        System.out.println("acknowledged: " + acknowledged.size() + " of " + RECORDS);
        assertThat(acknowledged).hasSizeGreaterThan(RECORDS * 3 / 4); // also records that followed the end of the broker
        assertThat(brokers.get(leader).isAlive()).isFalse();
        assertThat(kafka.consume(acknowledged)).doesNotHaveDuplicates();
        Transports.assertOnlyRdma(4, 0);
        assertLoss();
    }
}
