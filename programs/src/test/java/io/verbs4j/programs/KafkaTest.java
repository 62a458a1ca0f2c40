// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.tools.ConsumerPerformance;
import org.apache.kafka.tools.ProducerPerformance;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One broker of Kafka, which is its own controller, with a producer and a consumer.
@Tag("long-run")
@Timeout(300)
class KafkaTest {
    private static final int PORT = 22_391;
    private static final int RECORDS = 20_000;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"PLAINTEXT", "SSL"})
    void brokerKeepsRecords(String protocol) throws Exception {
        serve(protocol, kafka -> {
            Map<String, Object> client = kafka.client();
            try (Admin admin = Admin.create(client)) {
                admin.createTopics(List.of(new NewTopic(KafkaSetup.TOPIC, 2, (short) 1)))
                        .all()
                        .get(60, TimeUnit.SECONDS);
            }
            try (var producer = new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
                IntStream.range(0, RECORDS).mapToObj(KafkaSetup::record).forEach(producer::send);
            }
            assertThat(kafka.consume(IntStream.range(0, RECORDS).boxed().collect(Collectors.toSet()))).hasSize(RECORDS);
        });
    }

    /// Kafka's own measurements: the commands `kafka-producer-perf-test` and `kafka-consumer-perf-test`.
    @Test
    void performanceTestsTransferRecords() throws Exception {
        serve("PLAINTEXT", kafka -> {
            String servers = kafka.client().get("bootstrap.servers").toString();
            String sent = output(() -> ProducerPerformance.main(new String[]{
                    "--topic", "measured", "--num-records", "" + RECORDS, "--record-size", "1000", "--throughput", "-1",
                    "--producer-props", "bootstrap.servers=" + servers}));
            assertThat(sent).contains(RECORDS + " records sent, ");
            String received = output(() -> ConsumerPerformance.main(new String[]{
                    "--topic", "measured", "--messages", "" + RECORDS, "--bootstrap-server", servers,
                    "--timeout", "60000", "--hide-header"}));
            assertThat(received).contains(", " + RECORDS + ", ");
        });
    }

    private interface Step {
        void run() throws Exception;
    }

    private static String output(Step step) throws Exception {
        PrintStream before = System.out;
        var output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output));
        try {
            step.run();
        } finally {
            System.setOut(before);
        }
        System.out.print(output);
        return output.toString();
    }

    private interface Clients {
        void run(KafkaSetup kafka) throws Exception;
    }

    private void serve(String protocol, Clients clients) throws Exception {
        var kafka = new KafkaSetup(folder, protocol, List.of(Transports.HOST), PORT);
        var broker = new KafkaRaftServer(new KafkaConfig(kafka.broker(0)), Time.SYSTEM);
        broker.startup();
        try {
            clients.run(kafka);
        } finally {
            broker.shutdown();
            broker.awaitShutdown();
        }
        Transports.assertOnlyRdma(4);
    }
}
