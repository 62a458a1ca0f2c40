// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.metadata.storage.Formatter;

/// Brokers of Kafka, each of which is also a controller, and their clients.
final class KafkaSetup {
    static final String TOPIC = "records";
    private static final String CLUSTER = new Uuid(1, 1).toString(); // the same for brokers in different guests
    private static final int LENGTH = 512;
    private static final String PASSWORD = "password";

    private final Path folder;
    private final String protocol;
    private final List<String> hosts;
    private final int firstPort;

    /// @param protocol Kafka's name of the protocol: `PLAINTEXT` or `SSL`
    /// @param hosts the address of each broker
    /// @param firstPort the first of two ports for each broker
    KafkaSetup(Path folder, String protocol, List<String> hosts, int firstPort)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.protocol = protocol;
        this.hosts = hosts;
        this.firstPort = firstPort;
        if (protocol.equals("SSL")) {
            makeKeys();
        }
    }

    /// Creates a certificate that signs itself. Brokers and clients trust it.
    private void makeKeys() throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
                "broker",
                "-keyalg", "EC", "-dname", "CN=broker", "-ext", "san=ip:" + Transports.HOST, "-storepass", PASSWORD,
                "-keystore", keys());
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private String keys() {
        return folder.resolve("keys.p12").toString();
    }

    private Map<String, String> tls() {
        return protocol.equals("SSL")
                ? Map.of(
                        "ssl.keystore.location", keys(),
                        "ssl.keystore.password", PASSWORD,
                        "ssl.key.password", PASSWORD,
                        "ssl.truststore.location", keys(),
                        "ssl.truststore.password", PASSWORD)
                : Map.of();
    }

    private String clientAddress(int broker) {
        return hosts.get(broker) + ":" + (firstPort + 2 * broker);
    }

    private String controllerAddress(int broker) {
        return hosts.get(broker) + ":" + (firstPort + 2 * broker + 1);
    }

    private String each(IntFunction<String> address) {
        return IntStream.range(0, hosts.size()).mapToObj(address).collect(Collectors.joining(","));
    }

    /// Formats the folder of a broker, and returns the broker's configuration.
    Map<String, String> broker(int number) throws Exception {
        String data = Files.createDirectory(folder.resolve("data" + number)).toString();
        new Formatter()
                .setClusterId(CLUSTER)
                .setNodeId(number)
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(data)
                .addDirectory(data)
                .setPrintStream(System.out)
                .run();
        String listeners =
                protocol + "://" + clientAddress(number) + ",CONTROLLER://" + controllerAddress(number);
        var configuration = new HashMap<>(tls());
        configuration.putAll(Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", "" + number),
                Map.entry("log.dirs", data),
                Map.entry("listeners", listeners),
                Map.entry("advertised.listeners", listeners),
                Map.entry("inter.broker.listener.name", protocol),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,SSL:SSL,CONTROLLER:" + protocol),
                Map.entry("controller.quorum.voters", each(broker -> broker + "@" + controllerAddress(broker))),
                Map.entry("min.insync.replicas", "" + (hosts.size() / 2 + 1)),
                Map.entry("offsets.topic.replication.factor", "" + hosts.size()),
                Map.entry("offsets.topic.num.partitions", "1"),
                // A record's timestamp is its number. The broker would take it for a record of 1970, and delete it.
                Map.entry("log.retention.ms", "-1"),
                // A broker ends if the controllers have no leader by then, such as while other brokers start slowly.
                Map.entry("initial.broker.registration.timeout.ms", "900000"),
                Map.entry("group.initial.rebalance.delay.ms", "0")));
        return configuration;
    }

    /// Starts a broker in a process with the options of this one, among them the agent.
    Process start(int number) throws Exception {
        var properties = new Properties();
        properties.putAll(broker(number));
        Path file = folder.resolve(number + ".properties");
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        var command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(
                List.of("-Xmx300m", "-cp", System.getProperty("java.class.path"), "kafka.Kafka", file.toString()));
        return new ProcessBuilder(command).inheritIO().start();
    }

    /// Returns the configuration of a client.
    Map<String, Object> client() {
        var configuration = new HashMap<String, Object>(tls());
        configuration.put("security.protocol", protocol);
        configuration.put("bootstrap.servers", each(this::clientAddress));
        return configuration;
    }

    private static byte[] content(int number) {
        byte[] content = new byte[LENGTH];
        new Random(number).nextBytes(content);
        return content;
    }

    /// Returns a record of one of two partitions. Its timestamp is its number.
    static ProducerRecord<byte[], byte[]> record(int number) {
        return new ProducerRecord<>(TOPIC, number % 2, (long) number, new byte[0], content(number));
    }

    /// Receives records until all wanted ones are there, and checks their contents; returns the numbers of all received
    /// records.
    List<Integer> consume(Set<Integer> wanted) {
        Map<String, Object> configuration = client();
        configuration.put("group.id", "readers");
        configuration.put("auto.offset.reset", "earliest");
        var received = new ArrayList<Integer>();
        var missing = new HashSet<>(wanted);
        try (
                var consumer =
                        new KafkaConsumer<>(configuration, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(TOPIC));
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(200);
            while (!missing.isEmpty() && System.nanoTime() < deadline) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    int number = (int) each.timestamp();
                    assertThat(each.value()).isEqualTo(content(number));
                    received.add(number);
                    missing.remove(number);
                }
            }
        }
        assertThat(missing).as("lost records").isEmpty();
        return received;
    }
}
