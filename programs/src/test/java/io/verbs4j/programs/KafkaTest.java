// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// One broker of Kafka, which is its own controller, with a producer and a consumer.
@Tag("long-run")
@Timeout(300)
class KafkaTest {
    private static final int PORT = 22_391;
    private static final int CONTROLLER_PORT = 22_392;
    private static final int RECORDS = 20_000;
    private static final int LENGTH = 512;
    private static final String TOPIC = "records";

    @TempDir Path folder;

    private KafkaRaftServer broker() throws Exception {
        String data = Files.createDirectory(folder.resolve("data")).toString();
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(1)
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(data)
                .addDirectory(data)
                .setPrintStream(System.out)
                .run();
        String address = Transports.HOST + ":" + PORT;
        String controller = Transports.HOST + ":" + CONTROLLER_PORT;
        return new KafkaRaftServer(
                new KafkaConfig(Map.ofEntries(
                        Map.entry("process.roles", "broker,controller"),
                        Map.entry("node.id", "1"),
                        Map.entry("log.dirs", data),
                        Map.entry("listeners", "PLAINTEXT://" + address + ",CONTROLLER://" + controller),
                        Map.entry("advertised.listeners", "PLAINTEXT://" + address + ",CONTROLLER://" + controller),
                        Map.entry("controller.listener.names", "CONTROLLER"),
                        Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                        Map.entry("controller.quorum.voters", "1@" + controller),
                        Map.entry("offsets.topic.replication.factor", "1"),
                        Map.entry("offsets.topic.num.partitions", "1"),
                        Map.entry("group.initial.rebalance.delay.ms", "0"))),
                Time.SYSTEM);
    }

    @Test
    void brokerKeepsRecords() throws Exception {
        KafkaRaftServer broker = broker();
        broker.startup();
        try {
            Map<String, Object> client = Map.of("bootstrap.servers", Transports.HOST + ":" + PORT);
            try (Admin admin = Admin.create(client)) {
                admin.createTopics(List.of(new NewTopic(TOPIC, 2, (short) 1))).all().get(60, TimeUnit.SECONDS);
            }
            produce(client);
            consume(client);
        } finally {
            broker.shutdown();
            broker.awaitShutdown();
        }
        Transports.assertOnlyRdma(4);
    }

    private static byte[] record(int number) {
        byte[] content = new byte[LENGTH];
        new Random(number).nextBytes(content);
        return content;
    }

    private static void produce(Map<String, Object> client) throws Exception {
        try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(TOPIC, i % 2, (long) i, new byte[0], record(i)));
            }
            producer.flush();
        }
    }

    private static void consume(Map<String, Object> client) {
        var properties = new HashMap<>(client);
        properties.put("group.id", "readers");
        properties.put("auto.offset.reset", "earliest");
        int received = 0;
        try (var consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
            while (received < RECORDS && System.nanoTime() < deadline) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    // The timestamp is the number of the record.
                    assertThat(each.value()).isEqualTo(record((int) each.timestamp()));
                    received++;
                }
            }
        }
        assertThat(received).isEqualTo(RECORDS);
    }
}
