// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionRecord;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.abi.Recording;
import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.PcapReader;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// A conversation of random operations in virtual time consists of the same packets at the same times, the same
/// completions and the same counters as when it was recorded, over any wire and on any kernel. `conversations.txt`
/// beside this class ([Recording]) has counters and checksums; a run writes the lines behind the checksums to
/// `target/conversations`.
class RecordedConversationsTest {
    private static final Path FILE =
            Path.of("src/test/resources/io/verbs4j/tests/simulator/conversations.txt");
    private static final int[] LENGTHS = {0, 1, 100, 1023, 1024, 1025, 3000, 5001};
    private static final int ROUNDS = 12;
    private static final int MAX_SENDS = 4;

    private static final Map<String, LinkConditions> WIRES = Map.of(
            "perfect", LinkConditions.PERFECT,
            "loss", LinkConditions.PERFECT.withLoss(0.1),
            "duplication", LinkConditions.PERFECT.withDuplication(0.2),
            "corruption", LinkConditions.PERFECT.withCorruption(0.1),
            "reordering", LinkConditions.PERFECT.withReordering(0.2),
            "delay", LinkConditions.PERFECT.withDelay(Duration.ofNanos(200_000)),
            "all", new LinkConditions(0.05, 0.05, 0.05, 0.05, Duration.ofNanos(20_000)));

    /// Returns the result of each conversation by its name.
    private static Map<String, List<String>> results() throws IOException {
        var results = new TreeMap<String, List<String>>();
        for (var wire : WIRES.entrySet()) {
            for (KernelProfile kernel : KernelProfile.values()) {
                results.put(wire.getKey() + " " + kernel, result(wire.getKey(), wire.getValue(), kernel));
            }
        }
        return results;
    }

    private static List<String> result(String name, LinkConditions wire, KernelProfile kernel) throws IOException {
        var captured = new ByteArrayOutputStream();
        var completions = new ArrayList<String>();
        var network = SimulatedNetwork.inVirtualTime(7).capture(captured);
        try (var conversation = new Conversation(network, kernel, true, 7)) {
            network.conditions(wire);
            var random = new Random(3);
            for (int round = 0; round < ROUNDS; round++) {
                talk(conversation, network, random, completions);
            }
            fail(conversation, completions);
            network.advance(Duration.ofMillis(50));
            List<String> packets = packets(captured.toByteArray());
            Path folder = Files.createDirectories(Path.of("target/conversations"));
            Files.write(
                    folder.resolve(name + "-" + kernel + ".txt"),
                    Stream.concat(packets.stream(), completions.stream()).toList());
            return List.of(
                    packets.size() + " packets " + checksum(packets) + ", " + completions.size() + " completions "
                            + checksum(completions) + ", " + network.now(),
                    "left " + conversation.left.context().hardwareCounters(1).values(),
                    "right " + conversation.right.context().hardwareCounters(1).values());
        }
    }

    /// Posts some sends, and the receives for them, sometimes late.
    private static void talk(
            Conversation conversation, SimulatedNetwork network, Random random, List<String> completions) {
        var left = conversation.left;
        int sends = 1 + random.nextInt(MAX_SENDS);
        int received = 0;
        boolean late = random.nextInt(4) == 0;
        var operations = new ArrayList<Integer>();
        for (int i = 0; i < sends; i++) {
            int operation = random.nextInt(8);
            operations.add(operation);
            received += operation < 3 ? 1 : 0;
        }
        if (!late) {
            receive(conversation, received);
        }
        try (var batch = left.queuePair().beginSend()) {
            for (int operation : operations) {
                post(batch, operation, conversation, random);
            }
            batch.submit();
        }
        if (late) {
            network.advance(Duration.ofMillis(3));
            receive(conversation, received);
        }
        add("left ", conversation.take(left, sends), completions);
        add("right", conversation.take(conversation.right, received), completions);
        completions.add("words " + left.memory().segment().get(ValueLayout.JAVA_LONG, 500_000)
                + " " + conversation.right.memory().segment().get(ValueLayout.JAVA_LONG, 400_000));
    }

    private static void receive(Conversation conversation, int count) {
        try (var receives = conversation.right.queuePair().beginReceive()) {
            for (int i = 0; i < count; i++) {
                receives.workRequestId(i).receive(conversation.right.memory(), 0, 8192);
            }
            receives.submit();
        }
    }

    /// Adds an operation: the first three consume a receive.
    private static void post(SendBatch batch, int operation, Conversation conversation, Random random) {
        var memory = conversation.left.memory();
        var remote = conversation.right.memory().remote();
        int length = LENGTHS[random.nextInt(LENGTHS.length)];
        batch.signaled().workRequestId(operation);
        switch (operation) {
            case 0 -> batch.send().local(memory, 0, length).post();
            case 1 -> batch.solicited().send().immediate(length).local(memory, 0, length).post();
            case 2 -> batch.write().immediate(length).local(memory, 0, length).remote(remote, 8192).post();
            case 3 -> batch.write().local(memory, 0, length).remote(remote, 16_384).post();
            case 4 -> batch.read().local(memory, 65_536, length).remote(remote, 100).post();
            case 5 -> batch.fence().write().local(memory, 0, length).remote(remote, 32_768).post();
            case 6 -> batch.fetchAndAdd(3).local(memory, 500_000, Long.BYTES).remote(remote, 400_000).post();
            default -> batch.compareAndSwap(3, 5).local(memory, 500_000, Long.BYTES).remote(remote, 400_000).post();
        }
    }

    /// Ends the conversation by a read with a wrong key, which has a write behind it.
    private static void fail(Conversation conversation, List<String> completions) {
        var left = conversation.left;
        RemoteMemory remote = conversation.right.memory().remote();
        try (var batch = left.queuePair().beginSend()) {
            batch.signaled()
                    .read()
                    .local(left.memory(), 0, 100)
                    .remote(new RemoteMemory(remote.address(), remote.length(), remote.remoteKey() + 1))
                    .post();
            batch.signaled().write().local(left.memory(), 0, 100).remote(remote).post();
            batch.submit();
        }
        add("left ", conversation.take(left, 2), completions);
    }

    private static void add(String end, List<CompletionRecord> records, List<String> completions) {
        for (CompletionRecord record : records) {
            completions.add(end + " " + record.workRequestId() + " " + record.status() + " " + record.opcode() + " "
                    + (record.isSuccess() ? record.byteLength() : ""));
        }
    }

    /// Returns time, direction, opcode and length of each packet, and its distance from the first in its direction.
    private static List<String> packets(byte[] capture) throws IOException {
        var packets = new ArrayList<String>();
        var first = new TreeMap<String, Integer>();
        try (var reader = new PcapReader(new ByteArrayInputStream(capture), "capture")) {
            for (var frame = reader.next(); frame != null; frame = reader.next()) {
                if (!(FrameDecoder.decode(frame) instanceof RoceFrame roce)) { // a damaged one
                    packets.add(frame.nanoseconds() + " damaged " + frame.originalLength());
                    continue;
                }
                Bth bth = roce.packet().bth();
                String from = roce.source().toString();
                int number = bth.packetSequenceNumber();
                first.putIfAbsent(from, number);
                packets.add(frame.nanoseconds() + " " + from + " " + bth.opcode() + " +"
                        + (number - first.get(from) & 0xffffff) + " " + roce.packet().payload().length
                        + (bth.ackRequest() ? " AckReq" : "") + (bth.solicited() ? " solicited" : "")
                        + roce.packet().extension(Aeth.class).map(aeth -> " " + aeth.syndrome()).orElse(""));
            }
        }
        return packets;
    }

    private static String checksum(List<String> lines) {
        var sum = new CRC32();
        sum.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    @TestFactory
    Stream<DynamicTest> areAsRecorded() throws IOException {
        Map<String, List<String>> results = results();
        if (Recording.isWanted()) {
            Recording.write(
                    FILE,
                    results.entrySet()
                            .stream()
                            .flatMap(each -> Stream.concat(Stream.of(each.getKey()), each.getValue().stream()))
                            .toList());
        }
        List<String> recorded = Files.readAllLines(FILE);
        return results.entrySet().stream().map(each -> DynamicTest.dynamicTest(each.getKey(), () -> {
            int at = recorded.indexOf(each.getKey());
            assertThat(recorded.subList(at + 1, at + 1 + each.getValue().size())).isEqualTo(each.getValue());
        }));
    }
}
