// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverMlx5;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.CoverageReport;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shared receive queues without traffic: sizes, limits, and what is refused. [SharedReceivesIT] has the traffic.
@AnyDevice
@DeviceTest
@Needs.EachKernel
class SharedReceiveQueueIT {
    private final Context context = Wire.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();

    @AfterEach
    void close() {
        context.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "10, 3", "100, 27", "4096, 1"})
    @Covers({"ibv_create_srq", "ibv_create_srq_ex", "ibv_query_srq", "ibv_destroy_srq"})
    @NotOverSiw("6 buffers at most")
    void holdsAtLeastWhatWasAskedFor(int receives, int elements) {
        try (var queue = domain.createSharedReceiveQueue(receives, elements)) {
            assertThat(queue.capacity()).isBetween(receives, 2 * receives + 1);
            var attributes = queue.query();
            assertThat(attributes.maxWorkRequests()).isEqualTo(queue.capacity());
            assertThat(attributes.maxScatterGather()).isGreaterThanOrEqualTo(elements);
            assertThat(attributes.limit()).isZero();
        }
    }

    @Test
    @Covers("ibv_get_srq_num")
    @NotOverSiw("no numbers of shared receive queues")
    void hasANumberOfItsOwn() {
        var first = domain.createSharedReceiveQueue(1, 1);
        var second = domain.createSharedReceiveQueue(1, 1);

        assertThat(first.number()).isNotEqualTo(second.number());
        assertThat(first).hasToString("shared receive queue " + first.number());
    }

    @ParameterizedTest
    @CsvSource({"0, 1, maxWorkRequests", "-1, 1, maxWorkRequests", "2147483647, 1, maxWorkRequests",
            "1, -1, maxScatterGather", "1, 28, maxScatterGather"})
    @Covers({"ibv_create_srq", "ibv_create_srq_ex"})
    void isRefusedOutsideTheDevicesLimits(int receives, int elements, String culprit) {
        assertThatThrownBy(() -> domain.createSharedReceiveQueue(receives, elements))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(culprit + "=");
    }

    @Test
    @Covers("ibv_open_xrcd")
    @NotOverSiw("the kernel gives siw the extended form")
    void hasNoFormForExtendedReliableConnections() {
        assertThat(context.supports(Feature.EXTENDED_RELIABLE_CONNECTION)).isFalse();
        assertThatThrownBy(() -> context.require(Feature.EXTENDED_RELIABLE_CONNECTION))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("rxe");
        CoverageReport.absent("ibv_open_xrcd", "rxe has no XRC");
    }

    @Test
    @Covers("ibv_post_srq_recv")
    void takesNoMoreThanItHolds() {
        var queue = domain.createSharedReceiveQueue(4, 1);
        int capacity = queue.capacity();

        assertThat(post(queue, capacity + 1)).isEqualTo(capacity);
        assertThat(post(queue, 1)).as("it is still full").isZero();
    }

    @Test
    @Covers("ibv_post_srq_recv")
    void forgetsABatchThatIsNotSubmitted() {
        var queue = domain.createSharedReceiveQueue(4, 1);
        for (int round = 0; round < 3; round++) {
            try (var batch = queue.beginReceive()) {
                assertThat(batch.post(0, 0, 0)).isTrue();
            }
        }
        assertThat(post(queue, queue.capacity())).isEqualTo(queue.capacity());
    }

    @Test
    @Covers("ibv_post_srq_recv")
    void takesReceivesOfAsManyBuffersAsItWasMadeForAndNoMore() {
        var queue = domain.createSharedReceiveQueue(4, 3);
        int most = queue.query().maxScatterGather();
        var memory = domain.allocate(4096, Access.LOCAL_WRITE);
        var list = new ScatterGatherList();
        for (int i = 0; i < most; i++) {
            list.add(memory.address() + i, 1, memory.localKey());
        }
        try (var batch = queue.beginReceive()) {
            assertThat(batch.receive(list)).isTrue();
            assertThatThrownBy(() -> batch.receive(list.add(memory.address(), 1, memory.localKey())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxScatterGather=" + most);
            assertThat(batch.submit()).isEqualTo(1);
        }
    }

    @Test
    @Covers("ibv_post_srq_recv")
    void takesMemoryOfItsOwnDomainOnly() {
        var queue = domain.createSharedReceiveQueue(4, 1);
        var foreign = context.allocateProtectionDomain().allocate(64, Access.LOCAL_WRITE);
        var readOnly = domain.allocate(64);
        try (var batch = queue.beginReceive()) {
            assertThatThrownBy(() -> batch.receive(foreign, 0, 64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another protection domain");
            assertThatThrownBy(() -> batch.receive(readOnly, 0, 64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lacks LOCAL_WRITE");
        }
    }

    @ParameterizedTest
    @Scenario("test_srq.SrqTestCase.test_resize_srq")
    @ValueSource(ints = {1, 5, 100, 3000})
    @Covers("ibv_modify_srq")
    @NotOverSiw("no resizing")
    @NotOverMlx5("a shared receive queue keeps its size")
    void growsAndShrinks(int receives) {
        var queue = domain.createSharedReceiveQueue(20, 2);
        queue.resize(receives);

        assertThat(queue.capacity()).isBetween(receives, 2 * receives + 1);
        assertThat(queue.query().maxWorkRequests()).isEqualTo(queue.capacity());
        assertThat(post(queue, queue.capacity() + 1)).isEqualTo(queue.capacity());
    }

    @Test
    @Covers("ibv_modify_srq")
    @NotOverSiw("no resizing")
    @NotOverMlx5("a shared receive queue keeps its size")
    void keepsItsReceivesWhenItIsResized() {
        var queue = domain.createSharedReceiveQueue(20, 1);
        post(queue, 10);
        for (int size : new int[]{200, 10, 60}) {
            queue.resize(size);
            assertThat(post(queue, queue.capacity() + 1)).isEqualTo(queue.capacity() - 10);
            queue.close();
            queue = domain.createSharedReceiveQueue(20, 1);
            post(queue, 10);
        }
    }

    @Test
    @Covers("ibv_modify_srq")
    @NotOverSiw("no resizing")
    @NotOverMlx5("a shared receive queue keeps its size")
    void refusesToShrinkBelowWhatWaits() {
        var queue = domain.createSharedReceiveQueue(20, 1);
        post(queue, 20);
        int capacity = queue.capacity();

        assertThatThrownBy(() -> queue.resize(5))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("wait");

        assertThat(queue.capacity()).isEqualTo(capacity);
        assertThat(post(queue, capacity)).as("it goes on as before").isEqualTo(capacity - 20);
    }

    @Test
    @Covers("ibv_modify_srq")
    void refusesSizesOutsideTheDevicesLimits() {
        var queue = domain.createSharedReceiveQueue(20, 1);
        for (int size : new int[]{0, -1, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> queue.resize(size))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("maxWorkRequests=" + size);
        }
    }

    @Test
    @Covers("ibv_modify_srq")
    @NotOverSiw("no resizing")
    @NotOverMlx5("a shared receive queue keeps its size")
    void isNotResizedWithinABatch() {
        var queue = domain.createSharedReceiveQueue(20, 1);
        try (var batch = queue.beginReceive()) {
            assertThatThrownBy(() -> queue.resize(100)).isInstanceOf(IllegalStateException.class);
            assertThat(batch.post(0, 0, 0)).isTrue();
            assertThat(batch.submit()).isEqualTo(1);
        }
        assertThatCode(() -> queue.resize(100)).doesNotThrowAnyException();
    }

    @Test
    @Covers({"ibv_modify_srq", "ibv_query_srq"})
    void remembersTheLimitUntilItIsDisarmed() {
        var queue = domain.createSharedReceiveQueue(20, 1);
        queue.armLimit(7);
        assertThat(queue.query().limit()).isEqualTo(7);
        queue.armLimit(0);
        assertThat(queue.query().limit()).isZero();
    }

    @Test
    @Covers("ibv_modify_srq")
    void refusesALimitThatItCannotHold() {
        var queue = domain.createSharedReceiveQueue(20, 1);

        assertThatThrownBy(() -> queue.armLimit(queue.capacity() + 1))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("limit");
        assertThatThrownBy(() -> queue.armLimit(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("limit=-1");
        assertThat(queue.query().limit()).isZero();
    }

    @Test
    @Covers("ibv_modify_srq")
    @NotOverSiw("no resizing")
    @NotOverMlx5("a shared receive queue keeps its size")
    void refusesToShrinkBelowItsLimit() {
        var queue = domain.createSharedReceiveQueue(20, 1);
        queue.armLimit(10);

        assertThatThrownBy(() -> queue.resize(5))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    @Covers("ibv_destroy_srq")
    @NotOverSiw("reliable connections only")
    void refusesToCloseWhileQueuePairsUseItAndNamesThem() {
        var queue = domain.createSharedReceiveQueue(4, 1);
        var completions = context.createCompletionQueue(16);
        var first = domain.reliableConnection(completions).sharedReceiveQueue(queue).create();
        var second = domain.unreliableConnection(completions).sharedReceiveQueue(queue).create();

        assertThatThrownBy(queue::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(queue + " is still used by ", first.toString(), second.toString());

        first.close();
        second.close();
        assertThatCode(queue::close).doesNotThrowAnyException();
        assertThatCode(queue::close).doesNotThrowAnyException();
    }

    @Test
    @Covers({"ibv_post_recv", "ibv_create_qp"})
    void takesThePlaceOfTheQueuePairsOwnQueue() {
        var queue = domain.createSharedReceiveQueue(4, 1);
        var queuePair = domain.reliableConnection(context.createCompletionQueue(16))
                .sharedReceiveQueue(queue)
                .create();

        assertThat(queuePair.sharedReceiveQueue()).isSameAs(queue);
        assertThat(queuePair.capabilities().maxReceiveWorkRequests()).isZero();
        assertThatThrownBy(queuePair::beginReceive)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(queuePair + " takes its receives from " + queue + ": post them there");
    }

    @Test
    @Covers("ibv_create_qp")
    void isOfOneContextOnly() {
        var queue = domain.createSharedReceiveQueue(4, 1);
        try (Context other = Wire.open()) {
            var builder = other.allocateProtectionDomain()
                    .reliableConnection(other.createCompletionQueue(16))
                    .sharedReceiveQueue(queue);
            assertThatThrownBy(builder::create)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(queue + " belongs to another context");
        }
    }

    @Test
    @Covers("ibv_destroy_srq")
    void isOfNoUseAfterItsClose() {
        var queue = domain.createSharedReceiveQueue(4, 1);
        post(queue, 2);
        queue.close();

        var calls = new ArrayList<Runnable>();
        calls.add(queue::beginReceive);
        calls.add(() -> queue.resize(10));
        calls.add(() -> queue.armLimit(1));
        calls.add(queue::query);
        assertThat(calls).allSatisfy(call -> assertThatThrownBy(call::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(queue + " is closed"));
    }

    /// Posts receives of 0 bytes until there is no more room.
    private static int post(SharedReceiveQueue queue, int count) {
        try (var batch = queue.beginReceive()) {
            for (int i = 0; i < count && batch.post(0, 0, 0); i++) {
                // until it is full
            }
            return batch.submit();
        }
    }
}
