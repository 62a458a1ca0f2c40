// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.memory;

import static io.verbs4j.types.Access.FLUSH_GLOBAL;
import static io.verbs4j.types.Access.LOCAL_WRITE;
import static io.verbs4j.types.Access.ON_DEMAND;
import static io.verbs4j.types.Access.REMOTE_ATOMIC;
import static io.verbs4j.types.Access.REMOTE_READ;
import static io.verbs4j.types.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryAdvice;
import io.verbs4j.MemoryRegion;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.NativeMemory;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Regions without pinned pages: the device faults them in. What kernels say that have none is in [AbsentPagingIT].
@DeviceTest
@EnabledIf(Kernel.ON_DEMAND_PAGING)
@Covers("ibv_reg_mr")
@Needs.EachKernel
class OnDemandPagingIT {
    private static final Access[] ALL = {
            LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC, FLUSH_GLOBAL, ON_DEMAND
    };
    private static final int QKEY = 0x4321;
    private static final long PAGE = 4096;
    /// Fits a packet. On Linux 7.2 only what begins on a page arrives where it belongs: longer messages do not.
    private static final long BYTES = 1000;
    private static final long LENGTH = 64 * PAGE;

    private final ConnectedPair pair = ConnectedPair.onTheWire()
            .both(builder -> Kernel.hasFlushAndAtomicWrite()
                    ? builder.access(REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC, FLUSH_GLOBAL)
                            .timeout(Kernel.TIMEOUT_WITHOUT_RETRIES)
                    : builder)
            .connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        pair.close();
        arena.close();
    }

    @Test
    @Covers("ibv_query_device_ex")
    void isFoundOutBeforehand() {
        assertThat(right.context().supports(Feature.ON_DEMAND_PAGING)).isTrue();
    }

    @Test
    @Scenario({
            "test_odp.OdpTestCase.test_odp_rc_rdma_read",
            "test_odp.OdpTestCase.test_odp_rc_rdma_write"
    })
    void isWrittenToAndReadByThePeer() {
        var region = register(LENGTH);
        TestBytes.fill(left.bytes(0, BYTES), 1);
        write(BYTES, region, PAGE);
        TestBytes.assertHolds(region.segment().asSlice(PAGE, BYTES), 1);
        read(4 * PAGE, BYTES, region, PAGE);
        TestBytes.assertHolds(left.bytes(4 * PAGE, BYTES), 1);
    }

    /// A packet's bytes are written to the start of their page, regardless of their offset. Atomics and atomic writes
    /// are correct.
    @Test
    void holdsBytesAtTheStartOfTheirPageOnRxe() {
        var region = register(LENGTH);
        TestBytes.fill(left.bytes(0, 64), 5);
        write(64, region, PAGE + 256);
        TestBytes.assertHolds(region.segment().asSlice(PAGE, 64), 5);
        TestBytes.assertSame(region.segment().asSlice(PAGE + 256, 64), new byte[64]);
    }

    @Test
    void isZeroWhereNobodyWrote() {
        var region = register(LENGTH);
        TestBytes.fill(left.bytes(0, PAGE), 1);
        read(0, PAGE, region, 10 * PAGE);
        TestBytes.assertSame(left.bytes(0, PAGE), new byte[(int) PAGE]);
    }

    @Test
    @Scenario({
            "test_odp.OdpTestCase.test_mrex_odp_rc_traffic",
            "test_odp.OdpTestCase.test_odp_rc_traffic"
    })
    void sendsAndReceives() {
        var target = register(LENGTH);
        var source = left.domain().register(NativeMemory.sparse(LENGTH, arena), ALL);
        TestBytes.fill(source.segment().asSlice(PAGE, BYTES), 2);
        right.postReceives(batch -> batch.receive(target, 5 * PAGE, BYTES));
        left.post(batch -> batch.signaled().send().local(source, PAGE, BYTES).post());
        right.completions().nextSuccess();
        TestBytes.assertHolds(target.segment().asSlice(5 * PAGE, BYTES), 2);
    }

    @Test
    @Scenario({
            "test_odp.OdpTestCase.test_odp_qp_ex_rc_atomic_write",
            "test_odp.OdpTestCase.test_odp_qp_ex_rc_flush",
            "test_odp.OdpTestCase.test_odp_rc_atomic_cmp_and_swp",
            "test_odp.OdpTestCase.test_odp_rc_atomic_fetch_and_add"
    })
    void takesAtomicsAndAtomicWritesAndFlushes() {
        var region = register(LENGTH);
        var remote = region.remote();
        left.post(
                batch -> batch.signaled().fetchAndAdd(5).local(left.memory(), 0, Long.BYTES).remote(remote, 16).post(),
                batch -> batch.signaled()
                        .compareAndSwap(5, 6)
                        .local(left.memory(), 8, Long.BYTES)
                        .remote(remote, 16)
                        .post(),
                batch -> batch.signaled().atomicWrite(77).remote(remote, 2 * PAGE).post(),
                batch -> batch.signaled().flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE).remote(remote).post());
        left.completions().nextSuccesses(4);
        assertThat(region.segment().get(ValueLayout.JAVA_LONG, 16)).isEqualTo(6);
        assertThat(region.segment().get(ValueLayout.JAVA_LONG, 2 * PAGE)).isEqualTo(77);
    }

    @Test
    @Scenario("test_odp.OdpTestCase.test_odp_ud_traffic")
    void sendsAndReceivesDatagrams() {
        var sender = left.domain().datagram(left.queue()).qkey(QKEY).prepare();
        var receiver = right.domain().datagram(right.queue()).qkey(QKEY).prepare();
        var path = left.domain()
                .createAddressHandle(AddressVector.roce(
                        1, sender.gidSelection().entry().index(), receiver.endpoint().gid()));
        var source = left.domain().register(NativeMemory.sparse(LENGTH, arena), ALL);
        var target = register(LENGTH);
        TestBytes.fill(source.segment().asSlice(PAGE, 100), 3);
        try (var receives = receiver.beginReceive()) {
            receives.receive(target, 2 * PAGE - 40, 140); // the message begins on a page
            receives.submit();
        }
        int to = receiver.start().number();
        try (var batch = sender.start().beginSend()) {
            batch.to(path, to, QKEY).send().local(source, PAGE, 100).post();
            batch.submit();
        }
        right.completions().nextSuccess();
        TestBytes.assertHolds(target.segment().asSlice(2 * PAGE, 100), 3);
    }

    @Test
    void mayConsistOfHugePages() {
        NativeMemory.reserveHugePages(2);
        var region = register(NativeMemory.repeated(2 * NativeMemory.HUGE_PAGE, 1, arena));
        TestBytes.fill(left.bytes(0, BYTES), 4);
        long offset = NativeMemory.HUGE_PAGE;
        write(BYTES, region, offset);
        TestBytes.assertHolds(region.segment().asSlice(offset, BYTES), 4);
    }

    /// Only some of its pages exist. (rxe of 7.2 refuses a multiple of 4 GiB, because it checks only the lowest 32 bits
    /// of the length.)
    @Test
    void mayBeLongerThanFourGibibytes() {
        var region = register(5L << 30);
        for (long offset : new long[]{0, 1L << 32, 9L << 29}) {
            TestBytes.fill(left.bytes(0, 128), (int) (offset >>> 20));
            write(128, region, offset);
            TestBytes.assertHolds(region.segment().asSlice(offset, 128), (int) (offset >>> 20));
        }
    }

    @ParameterizedTest
    @Scenario({
            "test_odp.OdpTestCase.test_odp_async_prefetch_rc_traffic",
            "test_odp.OdpTestCase.test_odp_prefetch_async_no_page_fault_rc_traffic",
            "test_odp.OdpTestCase.test_odp_prefetch_sync_no_page_fault_rc_traffic"
    })
    @EnumSource
    @Covers("ibv_advise_mr")
    void takesAdvice(MemoryAdvice advice) {
        var region = register(LENGTH);
        var other = register(LENGTH);
        for (boolean wait : new boolean[]{true, false}) {
            assertThatCode(() -> right.domain()
                    .advise(advice, wait, region.slice(PAGE + 1, 5 * PAGE), other.local(), other.slice(0, 0)))
                    .as("wait=%s", wait)
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> right.domain().advise(advice, true)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @Scenario("test_odp.OdpTestCase.test_odp_sync_prefetch_rc_traffic")
    @ValueSource(booleans = {false, true})
    @Covers("ibv_advise_mr")
    void isFetchedAhead(boolean forWriting) {
        var region = register(LENGTH);
        region.prefetch(0, LENGTH, forWriting);
        read(0, PAGE, region, PAGE);
        TestBytes.assertSame(left.bytes(0, PAGE), new byte[(int) PAGE]);
        assertThatThrownBy(() -> region.prefetch(LENGTH - 8, 9, false)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @Covers("ibv_advise_mr")
    void takesNoAdviceThatDoesNotFit() {
        var region = register(LENGTH);
        var domain = right.domain();
        var other = right.context().allocateProtectionDomain();
        assertThatThrownBy(() -> other.advise(MemoryAdvice.PREFETCH, true, region.local()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another protection domain");
        assertThatThrownBy(() -> domain.advise(MemoryAdvice.PREFETCH, true, right.memory().local()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ON_DEMAND");
        var readOnly = domain.register(NativeMemory.sparse(LENGTH, arena), REMOTE_READ, ON_DEMAND);
        assertThatThrownBy(() -> domain.advise(MemoryAdvice.PREFETCH_WRITE, true, readOnly.local()))
                .isInstanceOf(VerbsException.class);
    }

    @Test
    void isRefusedForRightsThatOnDemandPagingLacks() {
        var segment = NativeMemory.sparse(LENGTH, arena);
        assertThatThrownBy(() -> right.domain().register(segment, REMOTE_WRITE, ON_DEMAND))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    /// The kernel may take pages away at any time; this does so at once.
    @Test
    void comesBackAfterItsPagesWereTakenAway() {
        var region = register(LENGTH);
        TestBytes.fill(left.bytes(0, BYTES), 1);
        write(BYTES, region, PAGE);
        TestBytes.assertHolds(region.segment().asSlice(PAGE, BYTES), 1);
        NativeMemory.discard(region.segment());
        read(0, BYTES, region, PAGE);
        TestBytes.assertSame(left.bytes(0, BYTES), new byte[(int) BYTES]);
    }

    /// Writes the first bytes of the left end's memory to a region of the right end.
    private void write(long bytes, MemoryRegion region, long offset) {
        left.post(batch -> batch.signaled()
                .write()
                .local(left.memory(), 0, bytes)
                .remote(region.remote(), offset)
                .post());
        left.completions().nextSuccess();
    }

    /// Reads from a region of the right end into the left end's memory.
    private void read(long to, long bytes, MemoryRegion region, long offset) {
        left.post(batch -> batch.signaled()
                .read()
                .local(left.memory(), to, bytes)
                .remote(region.remote(), offset)
                .post());
        left.completions().nextSuccess();
    }

    /// A region that nobody has touched: it has no pages yet.
    private MemoryRegion register(long bytes) {
        return register(NativeMemory.sparse(bytes, arena));
    }

    private MemoryRegion register(MemorySegment segment) {
        return right.domain().register(segment, ALL);
    }
}
