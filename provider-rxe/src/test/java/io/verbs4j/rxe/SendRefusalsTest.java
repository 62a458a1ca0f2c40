// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.INLINE;
import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.WorkRequestOpcode.COMPARE_AND_SWAP;
import static io.verbs4j.types.WorkRequestOpcode.FETCH_AND_ADD;
import static io.verbs4j.types.WorkRequestOpcode.LOCAL_INVALIDATE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_READ;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_INVALIDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests that must not reach the kernel are rejected, with the reason, before the slot is changed.
class SendRefusalsTest {
    private static final MemorySegment PAYLOAD = MemorySegment.ofArray(new byte[2048]);

    /// Operations and transports according to `next_opcode` (rxe_req.c).
    private static final Map<QueuePairType, Set<Integer>> TRANSFERS = Map.of(
            QueuePairType.RC,
            Set.of(RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND, SEND_WITH_IMMEDIATE, RDMA_READ, SEND_WITH_INVALIDATE),
            QueuePairType.UC,
            Set.of(RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND, SEND_WITH_IMMEDIATE),
            QueuePairType.UD,
            Set.of(SEND, SEND_WITH_IMMEDIATE));

    private final Rings rings = new Rings();

    @AfterEach
    void close() {
        rings.close();
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheTransportsOwnOpcodesArePosted(QueuePairType type) {
        var handle = rings.handle(1);
        Set<Integer> messages = TRANSFERS.getOrDefault(type, Set.of());
        for (int opcode = -40; opcode <= 70; opcode++) {
            SendRequest request = new SendRequest().operation(opcode).remote(8, 0).to(handle, 1, 1);
            boolean atomic = type == QueuePairType.RC && (opcode == COMPARE_AND_SWAP || opcode == FETCH_AND_ADD);
            expect(type, messages.contains(opcode) || atomic, ring -> ring.post(request, 0, 8, 0));
            expect(type, messages.contains(opcode), ring -> ring.post(request, new ScatterGatherList()));
            expect(
                    type,
                    messages.contains(opcode) && opcode != RDMA_READ,
                    ring -> ring.postInline(request, PAYLOAD, 0, 1));
        }
    }

    private void expect(QueuePairType type, boolean accepted, Consumer<SendRing> post) {
        if (accepted) {
            accepts(type, post);
        } else {
            refuses(type, post, "opcode=");
        }
    }

    @Test
    void datagramsNeedADestination() {
        refuses(
                QueuePairType.UD,
                ring -> ring.post(new SendRequest().operation(SEND), 0, 8, 0),
                "addressHandle");
    }

    @Test
    void readCannotBeInline() {
        refuses(
                QueuePairType.RC,
                ring -> ring.postInline(SendRequest.of(0, 0).operation(RDMA_READ), PAYLOAD, 0, 8),
                "opcode=RDMA_READ carries no payload that could be inline");
    }

    @Test
    void otherOperationsNeedTheirTransport() {
        refuses(QueuePairType.UC,
                ring -> ring.post(SendRequest.of(0, 0)
                        .operation(WorkRequestOpcode.ATOMIC_WRITE)
                        .remote(8, 0)
                        .operands(0, 0)),
                "opcode=ATOMIC_WRITE cannot be posted");
        refuses(QueuePairType.UD, ring -> ring.post(SendRequest.of(0, 0)
                .operation(WorkRequestOpcode.FLUSH)
                .remote(0, 0)
                .flush(0, 1, 0)),
                "opcode=FLUSH cannot be posted");
        refuses(QueuePairType.UC,
                ring -> ring.post(SendRequest.of(0, 0).operation(WorkRequestOpcode.LOCAL_INVALIDATE)),
                "opcode=LOCAL_INVALIDATE cannot be posted");
        refuses(
                QueuePairType.UD,
                ring -> ring.post(SendRequest.of(0, 0)
                        .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                        .immediateDataOrKey(0)
                        .window(0, 0, 0, 0)
                        .access(0)),
                "opcode=BIND_MEMORY_WINDOW cannot be posted");
        accepts(QueuePairType.UC,
                ring -> ring.post(SendRequest.of(0, 0)
                        .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                        .immediateDataOrKey(0)
                        .window(0, 0, 0, 0)
                        .access(0)));
        assertThat(OpcodeSet.has(-1, LOCAL_INVALIDATE)).isTrue();
        assertThat(OpcodeSet.has(-1, 32)).isFalse();
    }

    @Test
    void flagsOfOthersAreRefusedEverywhere() {
        for (int flags : new int[]{INLINE, SIGNALED | INLINE, 32, Integer.MIN_VALUE}) {
            String message = "flags=0x" + Integer.toHexString(flags);
            refuses(QueuePairType.RC, ring -> ring.post(SendRequest.of(0, flags).operation(SEND), 0, 1, 0), message);
            refuses(
                    QueuePairType.RC,
                    ring -> ring.post(SendRequest.of(0, flags).operation(SEND), new ScatterGatherList()),
                    message);
            refuses(QueuePairType.RC, ring -> ring.postInline(SendRequest.of(0, flags).operation(SEND), PAYLOAD, 0, 1),
                    message);
            refuses(QueuePairType.RC,
                    ring -> ring.post(SendRequest.of(0, flags)
                            .operation(FETCH_AND_ADD)
                            .remote(8, 0)
                            .operands(0, 0), 0, Long.BYTES, 0),
                    message);
            refuses(QueuePairType.RC,
                    ring -> ring.post(SendRequest.of(0, flags)
                            .operation(WorkRequestOpcode.ATOMIC_WRITE)
                            .remote(8, 0)
                            .operands(0, 0)),
                    message);
            refuses(QueuePairType.RC,
                    ring -> ring.post(SendRequest.of(0, flags)
                            .operation(WorkRequestOpcode.FLUSH)
                            .remote(0, 0)
                            .flush(0, 1, 0)),
                    message);
            refuses(QueuePairType.RC,
                    ring -> ring.post(SendRequest.of(0, flags).operation(WorkRequestOpcode.LOCAL_INVALIDATE)),
                    message);
            refuses(QueuePairType.RC,
                    ring -> ring.post(
                            SendRequest.of(0, flags)
                                    .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                                    .immediateDataOrKey(0)
                                    .window(0, 0, 0, 0)
                                    .access(0)),
                    message);
            var handle = rings.handle(1);
            refuses(QueuePairType.UD,
                    ring -> ring.post(SendRequest.of(0, flags).operation(SEND).to(handle, 1, 1), 0, 1, 0), message);
        }
    }

    @Test
    void lengthsAreLimited() {
        refuses(QueuePairType.RC, ring -> ring.post(SendRequest.of(0, 0).operation(SEND), 0, -1, 0),
                "length=-1 is not in 0..");
        var list = new ScatterGatherList().add(0, Integer.MAX_VALUE, 0).add(0, 1, 0);
        accepts(QueuePairType.RC, ring -> ring.post(SendRequest.of(0, 0).operation(SEND), list));
        list.add(0, 1, 0);
        refuses(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(0, 0).operation(SEND), list),
                "length=2147483649 is not in 0..2147483648, the port's longest message");
        refuses(
                QueuePairType.RC,
                ring -> ring.postInline(SendRequest.of(0, 0).operation(SEND), PAYLOAD, 0, Rings.MAX_INLINE + 1),
                "length=513 is not in 0..512, the queue pair's room for inline data");
        refuses(QueuePairType.RC, ring -> ring.postInline(SendRequest.of(0, 0).operation(SEND), PAYLOAD, 0, -1),
                "length=-1");
        refuses(
                QueuePairType.RC,
                ring -> ring.postInline(SendRequest.of(0, 0).operation(SEND), PAYLOAD, 2000, 100),
                "offset=2000, length=100 exceed the source of 2048 bytes");
        refuses(QueuePairType.RC, ring -> ring.postInline(SendRequest.of(0, 0).operation(SEND), PAYLOAD, -1, 1),
                "offset=-1");
        refuses(
                QueuePairType.RC,
                ring -> ring.postInline(SendRequest.of(0, 0).operation(SEND), PAYLOAD, Long.MAX_VALUE, 1),
                "offset=9223372036854775807");
    }

    @Test
    void portOf61SendsEightMebibytes() {
        FakeRing fake = rings.sendMemory(4, 0);
        var limits = new RxeSendLimits(QueuePairType.RC, 1, 16, 8 << 20, 0, Rings.DOMAIN);
        var ring = new SendRing(fake.memory(), limits, Rings.MTU, () -> 0);
        ring.post(SendRequest.of(0, 0).operation(SEND), 0, 8 << 20, 0);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ring.post(SendRequest.of(0, 0).operation(SEND), 0, (8 << 20) + 1, 0))
                .withMessageContaining("length=8388609 is not in 0..8388608");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ring.post(SendRequest.of(0, 0).operation(SEND),
                        new ScatterGatherList().add(0, 1, 0).add(0, 1, 0)))
                .withMessageContaining("elements=2 exceeds maxScatterGather=1");
    }

    @Test
    void datagramsFitTheMtu() {
        var handle = rings.handle(1);
        accepts(QueuePairType.UD,
                ring -> ring.post(SendRequest.of(0, 0).operation(SEND).to(handle, 1, 1), 0, 1024, 0));
        refuses(
                QueuePairType.UD,
                ring -> ring.post(SendRequest.of(0, 0).operation(SEND).to(handle, 1, 1), 0, 1025, 0),
                "length=1025 is not in 0..1024, the port's MTU");
        var list = new ScatterGatherList().add(0, 1024, 0).add(0, 1, 0);
        refuses(QueuePairType.UD, ring -> ring.post(SendRequest.of(0, 0).operation(SEND).to(handle, 1, 1), list),
                "length=1025");
        SendRing ring = rings.send(rings.sendMemory(4, 0), QueuePairType.UD);
        ring.limitDatagrams(256);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ring.post(SendRequest.of(0, 0).operation(SEND).to(handle, 1, 1), 0, 257, 0));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(
                        () -> ring.postInline(SendRequest.of(0, 0).operation(SEND).to(handle, 1, 1), PAYLOAD, 0, 257))
                .withMessageContaining("length=257 exceeds 256 bytes");
    }

    @Test
    void addressHandleMustBeOursAliveAndOfTheDomain() {
        refuses(
                QueuePairType.UD,
                ring -> ring.post(SendRequest.of(0, 0).operation(SEND).to(rings.handle(Rings.DOMAIN + 1, 1), 1, 1), 0,
                        1, 0),
                "addressHandle of protection domain 4 on a queue pair of domain 3");
        CommandChannel channel = rings.channel();
        refuses(
                QueuePairType.UD,
                ring -> ring.post(
                        SendRequest.of(0, 0).operation(SEND).to(new ProviderAddressHandle(channel, 1) {}, 1, 1), 0, 1,
                        0),
                "addressHandle belongs to another provider");
        refuses(
                QueuePairType.UD,
                ring -> ring.post(SendRequest.of(0, 0).operation(SEND).to(rings.handle(1), 1 << 24, 1), 0, 1, 0),
                "remoteQueuePair=0x1000000 has more than 24 bits");
        SendRing ring = rings.send(rings.sendMemory(4, 0), QueuePairType.UD);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> ring.post(SendRequest.of(0, 0).operation(SEND).to(rings.handle(0), 1, 1), 0, 1, 0))
                .withMessage("the address handle is destroyed");
    }

    @Test
    void atomicsAreAligned() {
        refuses(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(0, 0)
                        .operation(FETCH_AND_ADD)
                        .remote(0x1004, 0)
                        .operands(0, 0), 0, Long.BYTES, 0),
                "remoteAddress=0x1004 is not a multiple of 8");
        refuses(QueuePairType.RC,
                ring -> ring.post(SendRequest.of(0, 0)
                        .operation(WorkRequestOpcode.ATOMIC_WRITE)
                        .remote(9, 0)
                        .operands(0, 0)),
                "remoteAddress=0x9");
    }

    @Test
    void flushHasKnownTypeAndLevel() {
        for (int[] bad : new int[][]{{-1, 1, 0}, {0, 0, 0}, {0, 4, 0}, {0, 1, 2}, {0, 1, -1}}) {
            refuses(QueuePairType.RC,
                    ring -> ring
                            .post(SendRequest.of(0, 0)
                                    .operation(WorkRequestOpcode.FLUSH)
                                    .remote(0, 0)
                                    .flush(bad[0], bad[1], bad[2])),
                    "a flush has");
        }
    }

    @Test
    void windowKeepsItsIndex() {
        refuses(
                QueuePairType.RC,
                ring -> ring.post(SendRequest.of(0, 0)
                        .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                        .immediateDataOrKey(0x80000001)
                        .window(0x80000101, 0, 0, 0)
                        .access(0)),
                "newKey=0x80000101 differs from currentKey=0x80000001");
    }

    @Test
    void operationsThatTheKernelLacksAreNotSupported() {
        SendRing ring = rings.send(rings.sendMemory(4, 0), QueuePairType.RC, DeviceAttributes.FLUSH_GLOBAL);
        assertThatExceptionOfType(NotSupportedException.class)
                .isThrownBy(() -> ring.post(SendRequest.of(0, 0)
                        .operation(WorkRequestOpcode.ATOMIC_WRITE)
                        .remote(8, 0)
                        .operands(0, 0)))
                .withMessageContaining("post ATOMIC_WRITE failed: EOPNOTSUPP");
        ring.post(SendRequest.of(0, 0).operation(WorkRequestOpcode.FLUSH).remote(0, 0).flush(0, 1, 0));
        assertThatExceptionOfType(NotSupportedException.class)
                .isThrownBy(() -> ring.post(SendRequest.of(0, 0)
                        .operation(WorkRequestOpcode.FLUSH)
                        .remote(0, 0)
                        .flush(0, 3, 0)))
                .withMessageContaining("post FLUSH failed");
        assertThat(ring.publish()).isEqualTo(1);
    }

    private void accepts(QueuePairType type, Consumer<SendRing> post) {
        SendRing ring = rings.send(rings.sendMemory(2, 0), type);
        post.accept(ring);
        assertThat(ring.publish()).isEqualTo(1);
    }

    private void refuses(QueuePairType type, Consumer<SendRing> post, String message) {
        FakeRing fake = rings.sendMemory(2, 0);
        SendRing ring = rings.send(fake, type);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> post.accept(ring))
                .withMessageContaining(message);
        assertThat(ring.publish()).isZero();
        assertThat(fake.bytes(0)).containsOnly(FakeRing.DIRT);
    }
}
