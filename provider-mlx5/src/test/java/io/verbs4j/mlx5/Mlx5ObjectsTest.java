// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelEvents;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.Gid;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands, numbers and full rings of a card's objects.
class Mlx5ObjectsTest {
    private static final int SLOTS = 16;

    private final FakeMlx5Kernel kernel = new FakeMlx5Kernel(new StringBuilder(), 32768);
    private Mlx5Context context = Mlx5Context.open(channel());
    private final ProviderProtectionDomain domain = context.allocateProtectionDomain();
    private final ProviderCompletionQueue queue =
            context.createCompletionQueue(new CompletionQueueRequest(SLOTS - 1, 1, null, 0));

    /// Blocks of the sends of each queue pair.
    private final Map<ProviderQueuePair, Integer> blocks = new HashMap<>();

    private CommandChannel channel() {
        return CommandChannel.open(kernel, 1, "mlx5_0", 1, Transport.WRITE);
    }

    @AfterEach
    void close() {
        context.close();
        kernel.free();
    }

    private ProviderQueuePair pair(@Nullable ProviderSharedReceiveQueue shared) {
        return context.createQueuePair(new QueuePairRequest(
                domain, QueuePairType.RC, queue, queue, shared, new QueuePairCapabilities(32, 32, 1, 1, 0), true, 3));
    }

    /// Completes a send of a queue pair.
    private void complete(ProviderQueuePair pair, int id) {
        pair.sendOps().begin();
        assertThat(pair.sendOps().post(SendRequest.of(id, 0).operation(WorkRequestOpcode.SEND), 0, 0, 0)).isZero();
        pair.sendOps().publish();
        int block = blocks.merge(pair, 1, Integer::sum) - 1;
        kernel.queues.getLast()
                .put(ByteBuffer.allocate(64)
                        .putInt(56, 0x0a << 24 | pair.number())
                        .putShort(60, (short) block)
                        .array());
    }

    private List<Long> poll() {
        var ids = new ArrayList<Long>();
        var completion = new Completion();
        while (queue.next(completion)) {
            ids.add(completion.workRequestId());
        }
        queue.end();
        return ids;
    }

    /// The ring is full, and its first slot is any of the memory's. The queue pair keeps its number, as after a reset.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 15})
    void completionsOfOthersStayInAFullRing(int first) {
        assertThat(queue.begin()).isZero();
        assertThat(poll()).isEmpty();
        ProviderQueuePair kept = pair(null);
        for (int i = 0; i < first; i++) {
            complete(kept, i);
            assertThat(poll()).containsExactly((long) i);
        }
        ProviderQueuePair dropped = pair(null);
        for (int i = 0; i < SLOTS; i++) {
            complete(i % 3 == 1 ? kept : dropped, 100 + i);
        }
        queue.forget(dropped);
        assertThat(poll()).containsExactly(101L, 104L, 107L, 110L, 113L);
        complete(kept, 200);
        assertThat(poll()).containsExactly(200L);
        dropped.destroy();
        kept.destroy();
        queue.destroy();
    }

    /// The device's end mark takes the last slot of the former ring.
    @ParameterizedTest
    @CsvSource({"15, 64", "0, 64", "3, 4"})
    void aResizeKeepsAllCompletions(int waiting, int entries) {
        ProviderQueuePair pair = pair(null);
        complete(pair, 0);
        poll();
        for (int i = 1; i <= waiting; i++) {
            complete(pair, i);
        }
        queue.resize(entries);
        assertThat(queue.capacity()).isEqualTo(Integer.highestOneBit(2 * entries + 1) - 1);
        assertThat(poll()).isEqualTo(IntStream.rangeClosed(1, waiting).mapToObj(i -> (long) i).toList());
        complete(pair, 99);
        assertThat(poll()).containsExactly(99L);
    }

    /// Without the mark, completions may be missing.
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 16})
    void aResizeWithoutAMarkLosesTheQueue(int waiting) {
        ProviderQueuePair pair = pair(null);
        for (int i = 0; i < waiting; i++) {
            complete(pair, i);
        }
        kernel.marksResizes = false;
        assertThatThrownBy(() -> queue.resize(64))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO))
                .hasMessageContaining("no end mark");
        assertThatIllegalStateException().isThrownBy(queue::begin).withMessageContaining("has lost completions");
        queue.forget(pair);
        queue.destroy();
    }

    @Test
    void aWindowIsBoundByItsNumber() {
        var window = context.allocateMemoryWindow(domain, 1);
        ProviderQueuePair pair = pair(null);
        var bind = SendRequest.of(1, 0)
                .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                .immediateDataOrKey(window.rkey());
        pair.sendOps().begin();
        for (long length : new long[]{0, 1, 1L << 31}) {
            assertThat(pair.sendOps().post(bind.window(window.rkey(), 5, 0x1000, length)))
                    .isEqualTo(PostResult.POSTED);
        }
        for (long length : new long[]{-1, (1L << 31) + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pair.sendOps().post(bind.window(window.rkey(), 5, 0x1000, length)))
                    .withMessageContaining("length=" + length + " is not in 0..2147483648");
        }
        window.deallocate();
        assertThat(kernel.log()).last().isEqualTo("deallocate memory window");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pair.sendOps().post(bind))
                .withMessageContaining("is not the key of a memory window");
    }

    @Test
    void anAddressHandleIsDestroyedOnce() {
        var handle = (Mlx5AddressHandle) context.createAddressHandle(
                domain, AddressVector.roce(1, 0, new Gid(0, 0xffff_0a09_0001L)));
        assertThat(handle.isDestroyed()).isFalse();
        handle.destroy();
        assertThat(handle.isDestroyed()).isTrue();
        assertThat(kernel.log()).last().isEqualTo("destroy address handle");
    }

    @Test
    void aSharedQueueIsChangedAndQueried() {
        var shared = context.createSharedReceiveQueue(new SharedReceiveQueueRequest(domain, 2, 5, 2, 0));
        assertThat(shared.number()).isEqualTo(0x90);
        assertThat(shared.receiveOps().capacity()).isEqualTo(7);
        shared.armLimit(7);
        KernelCall sent = kernel.last();
        assertThat(List.of(sent.handle(), sent.get("attr_mask"), sent.get("max_wr"), sent.get("srq_limit")))
                .hasToString("[" + shared.handle() + ", 2, 0, 7]");
        assertThatThrownBy(() -> shared.armLimit(8))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("limit=8 is not in 0..7");
        assertThatThrownBy(() -> shared.resize(3))
                .isInstanceOfSatisfying(
                        NotSupportedException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP));
        assertThat(shared.query()).isEqualTo(new QuerySharedReceiveQueue.Response(7, 3, 2));
    }

    /// The card names the elements of a shared queue. An invalid number damages nothing.
    @Test
    void elementsOfASharedQueueAreReturnedByTheirNumbers() {
        var shared = context.createSharedReceiveQueue(new SharedReceiveQueueRequest(domain, 2, 3, 1, 0));
        ProviderQueuePair pair = pair(shared);
        for (int round = 0; round < 3; round++) {
            shared.receiveOps().begin();
            for (int i = 0; i < 3; i++) {
                assertThat(shared.receiveOps().receive(10L + i, 0x1000, i, 5)).isEqualTo(PostResult.POSTED);
            }
            assertThat(shared.receiveOps().receive(13, 0x1000, 1, 5)).isEqualTo(PostResult.QUEUE_FULL);
            shared.receiveOps().publish();
            for (int element : new int[]{4, 0xffff}) {
                received(pair, shared, element);
            }
            assertThat(poll()).containsExactly(0L, 0L);
            for (int i = 0; i < 3; i++) {
                received(pair, shared, (3 * round + i) % 4);
            }
            assertThat(poll()).containsExactly(10L, 11L, 12L);
        }
        for (int length : new int[]{-1, Integer.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> shared.receiveOps().receive(1, 0, length, 0))
                    .withMessageContaining("" + length);
        }
    }

    private void received(ProviderQueuePair pair, ProviderSharedReceiveQueue shared, int element) {
        kernel.queues.getLast()
                .put(ByteBuffer.allocate(64)
                        .putInt(32, shared.number())
                        .putInt(56, pair.number())
                        .putShort(60, (short) element)
                        .put(63, (byte) (2 << 4))
                        .array());
    }

    /// One object is enough for a feature.
    @ParameterizedTest
    @CsvSource({
            "base.max_srq, 1, SHARED_RECEIVE_QUEUE",
            "base.atomic_cap, 1, ATOMICS",
            "base.max_mw, 1, MEMORY_WINDOW_TYPE_1",
            "base.max_mcast_grp, 1, MULTICAST",
            "device_cap_flags_ex, 0x1000000, MEMORY_WINDOW_TYPE_2"
    })
    void featuresFollowTheDevicesLimits(String limit, String value, Feature feature) {
        for (int present : new int[]{0, Integer.decode(value)}) {
            kernel.limits.put(limit, present);
            try (var other = new Closing(Mlx5Context.open(channel()))) {
                assertThat(other.context.supports(feature)).isEqualTo(present != 0);
            }
        }
    }

    private record Closing(Mlx5Context context) implements AutoCloseable {
        @Override
        public void close() {
            context.close();
        }
    }

    /// Whichever call fails, the file of events that the kernel has returned is closed.
    @Test
    void aFailedOpeningClosesTheFileOfEvents() {
        kernel.eventFiles.clear();
        int failed = 0;
        for (boolean failing = true; failing;) {
            kernel.failAny(failed + 1);
            try {
                context = (Mlx5Context) new Mlx5ProviderFactory().open(channel());
                failing = false;
            } catch (VerbsException e) {
                failed++;
                assertThat(kernel.eventFiles.values()).allMatch(KernelEvents::isClosed);
            }
        }
        assertThat(failed).isGreaterThan(10);
        assertThat(kernel.eventFiles.values()).last().matches(file -> !file.isClosed());
        kernel.failAny(0);
    }
}
