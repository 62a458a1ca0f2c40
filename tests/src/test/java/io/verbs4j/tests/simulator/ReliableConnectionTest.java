// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.CompletionRecord;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.RemoteMemory;
import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReliableConnectionTest {
    /// Several packets, and a rest that needs padding.
    private static final int LONG = 20_001;

    private static byte[] bytes(MemoryRegion memory, long offset, int length) {
        return memory.segment().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] fill(MemoryRegion memory, long offset, int length, long seed) {
        var content = new byte[length];
        new Random(seed).nextBytes(content);
        memory.segment().asSlice(offset, length).copyFrom(MemorySegment.ofArray(content));
        return content;
    }

    @ParameterizedTest
    @EnumSource(KernelProfile.class)
    void carriesSendsWritesReadsAndAtomics(KernelProfile kernel) {
        try (var conversation = new Conversation(SimulatedNetwork.inRealTime(), kernel, false, 6)) {
            var left = conversation.left;
            var right = conversation.right;
            byte[] sent = fill(left.memory(), 0, LONG, 1);
            byte[] read = fill(right.memory(), 100_000, LONG, 2);
            right.memory().segment().set(ValueLayout.JAVA_LONG, 400_000, 40);
            try (var receives = right.queuePair().beginReceive()) {
                receives.workRequestId(7).receive(right.memory(), 0, LONG);
                receives.submit();
            }
            try (var batch = left.queuePair().beginSend()) {
                batch.signaled().workRequestId(1).send().local(left.memory(), 0, LONG).post();
                batch.signaled()
                        .workRequestId(2)
                        .write()
                        .local(left.memory().slice(0, LONG))
                        .remote(right.memory()
                                .remote()
                                .slice(200_000, LONG))
                        .post();
                batch.signaled()
                        .workRequestId(3)
                        .read()
                        .local(left.memory().slice(300_000, LONG))
                        .remote(right.memory()
                                .remote()
                                .slice(100_000, LONG))
                        .post();
                batch.signaled()
                        .workRequestId(4)
                        .fetchAndAdd(2)
                        .local(left.memory(), 500_000, Long.BYTES)
                        .remote(right.memory()
                                .remote(), 400_000)
                        .post();
                batch.submit();
            }
            assertThat(conversation.take(left, 4))
                    .allMatch(CompletionRecord::isSuccess)
                    .extracting(CompletionRecord::workRequestId)
                    .containsExactly(1L, 2L, 3L, 4L);
            assertThat(conversation.take(right, 1).getFirst().byteLength()).isEqualTo(LONG);
            assertThat(bytes(right.memory(), 0, LONG)).isEqualTo(sent);
            assertThat(bytes(right.memory(), 200_000, LONG)).isEqualTo(sent);
            assertThat(bytes(left.memory(), 300_000, LONG)).isEqualTo(read);
            assertThat(left.memory().segment().get(ValueLayout.JAVA_LONG, 500_000)).isEqualTo(40);
            assertThat(right.memory().segment().get(ValueLayout.JAVA_LONG, 400_000)).isEqualTo(42);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void bringsEverythingOnceOverAWireThatLosesDoublesAndCorrupts(long seed) {
        var network = SimulatedNetwork.inVirtualTime(seed);
        try (var conversation = new Conversation(network, KernelProfile.LINUX_6_1, true, 7)) {
            network.conditions(LinkConditions.PERFECT
                    .withLoss(0.1)
                    .withDuplication(0.1)
                    .withCorruption(0.05)
                    .withDelay(Duration.ofNanos(50_000)));
            for (int round = 0; round < 20; round++) {
                byte[] sent = fill(conversation.left.memory(), 0, LONG, round);
                try (var receives = conversation.right.queuePair().beginReceive()) {
                    receives.receive(conversation.right.memory(), 0, LONG);
                    receives.submit();
                }
                try (var batch = conversation.left.queuePair().beginSend()) {
                    batch.signaled().send().local(conversation.left.memory(), 0, LONG).post();
                    batch.signaled()
                            .fetchAndAdd(1)
                            .local(conversation.left.memory(), 500_000, Long.BYTES)
                            .remote(conversation.right.memory().remote(), 400_000)
                            .post();
                    batch.submit();
                }
                assertThat(conversation.take(conversation.left, 2)).allMatch(CompletionRecord::isSuccess);
                assertThat(conversation.take(conversation.right, 1)).allMatch(CompletionRecord::isSuccess);
                assertThat(bytes(conversation.right.memory(), 0, LONG)).isEqualTo(sent);
                // A duplicate send is acknowledged with the PSN of the latest request. This completes an atomic whose
                // own answer was lost, and the value of the previous round remains (`check_ack`, rxe_comp.c).
                assertThat(conversation.left.memory().segment().get(ValueLayout.JAVA_LONG, 500_000))
                        .as("the value before the addition")
                        .isBetween((long) round - 1, (long) round);
            }
            assertThat(conversation.right.memory().segment().get(ValueLayout.JAVA_LONG, 400_000)).isEqualTo(20);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 99})
    void playsTheSamePacketsAgainWithTheSameSeed(long seed) {
        assertThat(capture(seed)).isEqualTo(capture(seed)).isNotEqualTo(capture(seed + 1));
    }

    private static byte[] capture(long seed) {
        var captured = new ByteArrayOutputStream();
        var network = SimulatedNetwork.inVirtualTime(seed).capture(captured);
        try (var conversation = new Conversation(network, KernelProfile.LINUX_7_2, true, 7)) {
            network.conditions(LinkConditions.PERFECT.withLoss(0.2).withReordering(0.1));
            fill(conversation.left.memory(), 0, LONG, 1);
            try (var receives = conversation.right.queuePair().beginReceive()) {
                receives.receive(conversation.right.memory(), 0, LONG);
                receives.submit();
            }
            try (var batch = conversation.left.queuePair().beginSend()) {
                batch.signaled().send().local(conversation.left.memory(), 0, LONG).post();
                batch.submit();
            }
            assertThat(conversation.take(conversation.left, 1)).allMatch(CompletionRecord::isSuccess);
        }
        return shape(captured.toByteArray());
    }

    /// Returns times, lengths and opcodes of the packets. Sequence numbers and memory addresses are not determined by
    /// the network's seed.
    private static byte[] shape(byte[] capture) {
        var shape = new ByteArrayOutputStream();
        var buffer = java.nio.ByteBuffer.wrap(capture).order(java.nio.ByteOrder.LITTLE_ENDIAN).position(24);
        while (buffer.hasRemaining()) {
            shape.writeBytes(java.util.Arrays.copyOfRange(capture, buffer.position(), buffer.position() + 12));
            int length = buffer.getInt(buffer.position() + 8);
            shape.write(capture[buffer.position() + 16 + 14 + 20 + 8]);
            buffer.position(buffer.position() + 16 + length);
        }
        return shape.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({
            "LINUX_6_1, false, 1, 1", "LINUX_6_1, true, 20, 1", "LINUX_6_12, false, 20, 20",
            "LINUX_7_2, false, 20, 20", "LINUX_7_2, true, 20, 20"
    })
    void sendsNoPacketBehindARefusedOneWhereThePeerAnswersBetweenThem(
            KernelProfile kernel, boolean afterBind, int packets, long arrivals) {
        try (var conversation = new Conversation(SimulatedNetwork.inVirtualTime(1), kernel, true, 6)) {
            var left = conversation.left;
            var range = conversation.right.memory().remote().slice(0, LONG);
            int first = left.queuePair().query().sendPsn();
            var window = left.memory().protectionDomain().allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
            try (var batch = left.queuePair().beginSend()) {
                if (afterBind) {
                    batch.bind(window, 0).local(left.memory(), 0, 8).post();
                }
                batch.write()
                        .local(left.memory().slice(0, LONG))
                        .remote(new RemoteMemory(range.address(), range.length(), range.remoteKey() + 1))
                        .post();
                batch.submit();
            }
            assertThat(conversation.take(left, 1).getFirst().status())
                    .isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
            assertThat(left.queuePair().query().sendPsn() - first & 0xffffff).isEqualTo(packets);
            assertThat(conversation.right.context().hardwareCounters(1).values()).containsEntry("rcvd_pkts", arrivals);
        }
    }

    @ParameterizedTest
    @CsvSource({"LINUX_6_1, 1", "LINUX_6_12, 0", "LINUX_7_2, 0", "SPECIFICATION, 0"})
    void countsAFlushedSendAsOneThatWasDoneWhereTheKernelDoes(KernelProfile kernel, long counted) {
        try (var conversation = new Conversation(SimulatedNetwork.inVirtualTime(1), kernel, true, 6)) {
            var left = conversation.left;
            left.queuePair().modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
            try (var batch = left.queuePair().beginSend()) {
                batch.send().local(left.memory(), 0, 8).post();
                batch.submit();
            }
            assertThat(conversation.take(left, 1).getFirst().status())
                    .isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
            assertThat(left.context().hardwareCounters(1).values()).containsEntry("rdma_sends", counted);
        }
    }

    @ParameterizedTest
    @EnumSource(KernelProfile.class)
    void givesUpWhenNobodyAnswers(KernelProfile kernel) {
        var network = SimulatedNetwork.inVirtualTime(5);
        try (var conversation = new Conversation(network, kernel, true, 6)) {
            network.conditions(LinkConditions.PERFECT.withLoss(1));
            try (var batch = conversation.left.queuePair().beginSend()) {
                batch.signaled()
                        .write()
                        .local(conversation.left.memory().slice(0, 8))
                        .remote(conversation.right.memory()
                                .remote()
                                .slice(0, 8))
                        .post();
                batch.submit();
            }
            assertThat(conversation.take(conversation.left, 1).getFirst().status())
                    .isEqualTo(CompletionStatus.RETRY_EXCEEDED);
            assertThat(network.now()).isGreaterThan(Duration.ofMillis(6 * 4));
        }
    }

    /// Waits for events take virtual time: until an alarm has raised the event, or until the timeout.
    @Test
    void aWaitForAnEventAdvancesVirtualTime() throws InterruptedException {
        var network = SimulatedNetwork.inVirtualTime(5);
        try (var conversation = new Conversation(network, KernelProfile.LINUX_7_2, true, 6)) {
            var channel = conversation.left.context().createCompletionChannel();
            var queue = conversation.left.context()
                    .createCompletionQueue(CompletionQueueOptions.entries(8).withChannel(channel));
            var here = conversation.left.queuePair().protectionDomain().reliableConnection(queue);
            var there =
                    conversation.right.queuePair().protectionDomain().reliableConnection(conversation.right.queue());
            var pair = here.timeout(10).retryCount(2).prepare().connect(there.prepare().endpoint());
            queue.requestNotification(false);
            network.conditions(LinkConditions.PERFECT.withLoss(1));
            try (var batch = pair.beginSend()) {
                batch.signaled()
                        .write()
                        .local(conversation.left.memory().slice(0, 8))
                        .remote(conversation.right.memory().remote().slice(0, 8))
                        .post();
                batch.submit();
            }
            Duration before = network.now();
            assertThat(channel.take(Duration.ofHours(1))).isSameAs(queue);
            assertThat(network.now().minus(before)).isBetween(Duration.ofMillis(8), Duration.ofMinutes(1));
            before = network.now();
            assertThat(channel.take(Duration.ofHours(1))).isNull();
            assertThat(network.now().minus(before)).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
        }
    }

    /// A thread that monitors a device waits without a limit, so its waits take no virtual time.
    @Test
    void aMonitorDoesNotAdvanceVirtualTime() throws Exception {
        var network = SimulatedNetwork.inVirtualTime(5);
        InThread.Started<Boolean> monitor;
        try (var conversation = new Conversation(network, KernelProfile.LINUX_7_2, true, 6)) {
            var events = conversation.left.context().asyncEvents();
            monitor = InThread.PLATFORM.start(() -> {
                events.forEach(_ -> {});
                return true;
            });
            Eventually.until(monitor::isWaiting, () -> "the monitor does not sleep");
            assertThat(network.now()).isZero();
        }
        assertThat(monitor.result()).as("ended by the close").isTrue();
    }

    /// The bytes of an inline send that needs several packets follow each other.
    @Test
    void inlineBytesTravelInSeveralPackets() {
        try (var conversation = new Conversation(SimulatedNetwork.inRealTime(), KernelProfile.LINUX_7_2, false, 6)) {
            var left = conversation.left;
            var right = conversation.right;
            var here = left.queuePair().protectionDomain().reliableConnection(left.queue()).maxInlineData(400);
            var there = right.queuePair().protectionDomain().reliableConnection(right.queue());
            var prepared = here.pathMtu(Mtu.MTU_256).prepare();
            var endpoint = prepared.endpoint();
            var peer = there.pathMtu(Mtu.MTU_256).prepare();
            var pair = prepared.connect(peer.endpoint());
            peer.connect(endpoint);
            byte[] sent = fill(left.memory(), 0, 400, 3);
            try (var batch = pair.beginSend()) {
                batch.signaled()
                        .write()
                        .inline(left.memory().segment(), 0, 400)
                        .remote(right.memory().remote().slice(1000, 400))
                        .post();
                batch.submit();
            }
            assertThat(conversation.take(left, 1).getFirst().isSuccess()).isTrue();
            assertThat(bytes(right.memory(), 1000, 400)).isEqualTo(sent);
        }
    }
}
