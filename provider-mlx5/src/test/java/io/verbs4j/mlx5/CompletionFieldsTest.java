// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Completions of each kind with random bytes (`struct mlx5_cqe64` and `struct mlx5_err_cqe`, mlx5dv.h), translated as
/// libmlx5 does (`mlx5_poll_one`, cq.c).
class CompletionFieldsTest {
    private static final int SIZE = 64;

    private final int held = QueueMemory.held();
    private final FakeMlx5Kernel kernel = new FakeMlx5Kernel(new StringBuilder(), 32768);
    private final Mlx5Context context =
            Mlx5Context.open(CommandChannel.open(kernel, 1, "mlx5_0", 1, Transport.WRITE));
    private final ProviderCompletionQueue queue =
            context.createCompletionQueue(new CompletionQueueRequest(8, 1, null, 0));
    private final QueuePairRequest request = new QueuePairRequest(
            context.allocateProtectionDomain(), QueuePairType.RC, queue, queue, null,
            new QueuePairCapabilities(4, 4, 1, 1, 0), true, 3);
    private final ProviderQueuePair pair = context.createQueuePair(request);

    @AfterEach
    void close() {
        context.close();
        kernel.free();
    }

    /// `opcode` is that of the kernel; the device's operation matters for requests only.
    @ParameterizedTest
    @CsvSource({
            "0, 0x0a, 0", // send
            "0, 0x08, 1", // write
            "0, 0x10, 2", // read
            "0, 0x11, 3", // compare and swap
            "0, 0x12, 4", // fetch and add
            "1, 0, 129",
            "2, 0, 128",
            "3, 0, 128",
            "4, 0, 128",
            "13, 0, 0",
            "14, 0, 0"
    })
    void areThoseOfTheDevice(int kind, String operation, int opcode) {
        boolean request = kind == 0 || kind == 13;
        var completion = new Completion();
        for (int i = 0; i < 100; i++) {
            byte[] bytes = new byte[SIZE];
            new Random(i).nextBytes(bytes);
            ByteBuffer entry = ByteBuffer.wrap(bytes)
                    .putInt(32, 0) // no shared receive queue
                    .putInt(56, Integer.decode(operation) << 24 | pair.number())
                    .putShort(60, (short) i)
                    .put(63, (byte) (kind << 4));
            boolean failed = kind > 4;
            if (failed) {
                entry.put(55, (byte) 0x13);
            }
            post(request, 1000 + i);
            kernel.queues.getLast().put(bytes);
            completion.words(-1, -1, -1, -1, -1, -1);
            assertThat(queue.begin()).isEqualTo(1);
            assertThat(queue.next(completion)).isTrue();
            queue.end();
            assertThat(queue.begin()).isZero();
            assertThat(queue.next(completion)).isFalse();

            int length = Integer.decode(operation) == 0x10 || !request ? entry.getInt(44) : opcode > 2 ? 8 : 0;
            assertThat(List.of(completion.workRequestId(), (long) completion.status(), (long) completion.opcode(),
                    (long) completion.vendorError(), (long) completion.byteLength(),
                    (long) completion.queuePairNumber()))
                    .containsExactly(1000L + i, failed ? 10L : 0L, (long) opcode, failed ? bytes[54] & 0xffL : 0L,
                            failed ? 0L : length, (long) pair.number());
            boolean received = kind >= 1 && kind <= 4;
            int source = entry.getInt(24);
            int data = kind == 2 ? 0 : entry.getInt(36);
            int flags = ((source >>> 28 & 3) == 0 ? 0 : Completion.GRH)
                    | (kind == 4 ? Completion.WITH_INVALIDATE : kind == 2 ? 0 : Completion.WITH_IMMEDIATE);
            assertThat(List.of(completion.flags(), completion.immediateDataOrKey(), completion.sourceQueuePair(),
                    completion.pkeyIndex(), completion.sourceLid(), completion.serviceLevel(),
                    completion.pathBits()))
                    .isEqualTo(received
                            ? List.of(flags, data, source & 0xffffff, entry.getInt(36) & 0xffff,
                                    entry.getShort(22) & 0xffff, source >>> 24 & 0xf, entry.get(17) & 0x7f)
                            : List.of(0, 0, 0, 0, 0, 0, 0));
        }
    }

    /// The queue pair may be destroyed before its completions are polled.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 13, 14})
    void ofUnknownQueuePairsAreDropped(int kind) {
        kernel.queues.getLast()
                .put(ByteBuffer.allocate(SIZE).putInt(56, pair.number() + 1).put(63, (byte) (kind << 4)).array());
        assertThat(queue.begin()).isEqualTo(1);
        assertThat(queue.next(new Completion())).isFalse();
        queue.end();
        assertThat(queue.begin()).isZero();
    }

    @Test
    void areNotPolledFromADestroyedQueue() {
        pair.destroy();
        queue.destroy();
        assertThat(QueueMemory.held()).as("memory that the device may write").isEqualTo(held);
        List<ThrowingCallable> uses = List.of(
                queue::begin, () -> queue.next(new Completion()), () -> queue.requestNotification(false));
        assertThat(uses).allSatisfy(use -> assertThatIllegalStateException().isThrownBy(use)
                .withMessage("the completion queue is destroyed"));
    }

    @Test
    void memoryOfRefusedQueuesIsReleased() {
        int before = QueueMemory.held();
        List<ThrowingCallable> refused = List.of(
                () -> context.createCompletionQueue(new CompletionQueueRequest(8, 1, null, 0)),
                () -> queue.resize(100),
                () -> context.createQueuePair(request));
        assertThat(refused).allSatisfy(call -> {
            kernel.failAny(1);
            assertThatThrownBy(call).isInstanceOf(VerbsException.class);
            assertThat(QueueMemory.held()).isEqualTo(before);
        });
    }

    private void post(boolean send, long id) {
        if (send) {
            pair.sendOps().begin();
            pair.sendOps().post(SendRequest.of(id, 0).operation(WorkRequestOpcode.SEND), 0, 0, 0);
            assertThat(pair.sendOps().publish()).isEqualTo(1);
        } else {
            var receives = Objects.requireNonNull(pair.receiveOps());
            receives.begin();
            receives.receive(id, 0, 0, 0);
            assertThat(receives.publish()).isEqualTo(1);
        }
    }
}
