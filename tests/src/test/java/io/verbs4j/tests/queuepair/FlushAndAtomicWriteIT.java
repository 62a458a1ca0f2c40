// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static io.verbs4j.types.Access.FLUSH_GLOBAL;
import static io.verbs4j.types.Access.FLUSH_PERSISTENT;
import static io.verbs4j.types.Access.LOCAL_WRITE;
import static io.verbs4j.types.Access.REMOTE_READ;
import static io.verbs4j.types.Access.REMOTE_WRITE;
import static io.verbs4j.types.CompletionStatus.REMOTE_ACCESS_ERROR;
import static io.verbs4j.types.CompletionStatus.REMOTE_INVALID_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The 8-byte atomic write and the flush, which rxe got with Linux 6.2. What older kernels say is in [AbsentFlushIT].
@DeviceTest
@EnabledIf(Kernel.FLUSH_AND_ATOMIC_WRITE)
@Needs.EachKernel
class FlushAndAtomicWriteIT {
    private final ConnectedPair pair = ConnectedPair.onTheWire()
            .access(LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, FLUSH_GLOBAL)
            .both(builder -> builder.access(REMOTE_READ, REMOTE_WRITE, FLUSH_GLOBAL, FLUSH_PERSISTENT)
                    .timeout(Kernel.TIMEOUT_WITHOUT_RETRIES))
            .connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final RemoteMemory remote = right.memory().remote();

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_atomic_write")
    @ValueSource(longs = {0, 1, -1, 0x0123_4567_89ab_cdefL})
    @Covers("ibv_wr_atomic_write")
    void writesEightBytesAtOnce(long value) {
        TestBytes.fill(right.bytes(0, 64), 1);
        left.post(batch -> batch.signaled().workRequestId(3).atomicWrite(value).remote(remote, 24).post());

        CompletionRecord completion = left.completions().nextSuccess();
        assertThat(completion.workRequestId()).isEqualTo(3);
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.ATOMIC_WRITE);
        assertThat(right.memory().segment().get(ValueLayout.JAVA_LONG, 24)).isEqualTo(value);
        TestBytes.assertSame(right.bytes(0, 24), Arrays.copyOf(TestBytes.of(1, 64), 24));
        TestBytes.assertSame(right.bytes(32, 32), Arrays.copyOfRange(TestBytes.of(1, 64), 32, 64));
        right.completions().assertNone();
    }

    @Test
    @Covers("ibv_wr_atomic_write")
    void keepsTheOrderOfAtomicWritesAndOtherWork() {
        for (long round = 0; round < 20; round++) {
            long value = round;
            left.memory().segment().set(ValueLayout.JAVA_LONG, 0, -value);
            left.post(
                    batch -> batch.write().local(left.memory(), 0, 8).remote(remote).post(),
                    batch -> batch.atomicWrite(value).remote(remote, 8).post(),
                    batch -> batch.signaled().read().local(left.memory(), 64, 16).remote(remote).post());
            left.completions().nextSuccess();
            assertThat(left.memory().segment().get(ValueLayout.JAVA_LONG, 64)).isEqualTo(-value);
            assertThat(left.memory().segment().get(ValueLayout.JAVA_LONG, 72)).isEqualTo(value);
        }
    }

    @Test
    @Covers("ibv_wr_atomic_write")
    void refusesAnAddressThatIsNoMultipleOfEight() {
        try (var batch = left.queuePair().beginSend()) {
            for (int offset : new int[]{1, 4, 7}) {
                assertThatThrownBy(() -> batch.atomicWrite(1).remote(remote, offset).post())
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("multiple of 8");
            }
            assertThatThrownBy(() -> batch.atomicWrite(1).remote(remote, remote.length() - 4).post())
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    @Covers("ibv_wr_atomic_write")
    void isNotWrittenByAWrongKey() {
        assertThat(atomicWrite(new RemoteMemory(remote.address(), 8, remote.remoteKey() ^ 0x5500)))
                .isEqualTo(REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers("ibv_wr_atomic_write")
    void isNotWrittenBeyondTheRegion() {
        assertThat(atomicWrite(new RemoteMemory(remote.address() + remote.length(), 8, remote.remoteKey())))
                .isEqualTo(REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers("ibv_wr_atomic_write")
    void isNotWrittenIfTheRegionDoesNotGrantWrites() {
        var readable = right.domain().allocate(64, LOCAL_WRITE, REMOTE_READ);
        assertThat(atomicWrite(readable.remote())).isEqualTo(REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers({"ibv_wr_atomic_write", "ibv_wr_flush"})
    void needsTheQueuePairsPermission() {
        try (var strict = strict()) {
            var target = strict.right().memory().remote();
            strict.left().post(batch -> batch.atomicWrite(1).remote(target).post());
            assertThat(strict.left().completions().next().status()).isEqualTo(REMOTE_INVALID_REQUEST);
        }
        try (var strict = strict()) {
            var target = strict.right().memory().remote();
            strict.left()
                    .post(batch -> batch.flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)
                            .remote(target)
                            .post());
            assertThat(strict.left().completions().next().status()).isEqualTo(REMOTE_INVALID_REQUEST);
        }
    }

    @ParameterizedTest
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_flush")
    @EnumSource
    @Covers("ibv_wr_flush")
    void makesWritesVisible(FlushLevel level) {
        TestBytes.fill(left.bytes(0, 5000), 7);
        left.post(
                batch -> batch.write().local(left.memory(), 0, 5000).remote(remote, 100).post(),
                batch -> batch.signaled()
                        .workRequestId(9)
                        .flush(FlushType.GLOBAL_VISIBILITY, level)
                        .remote(remote.slice(100, 5000))
                        .post());
        CompletionRecord completion = left.completions().nextSuccess();
        assertThat(completion.workRequestId()).isEqualTo(9);
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.FLUSH);
        TestBytes.assertHolds(right.bytes(100, 5000), 7);
        right.completions().assertNone();
    }

    @Test
    void areAnnouncedAsFeatures() {
        assertThat(left.context().supports(Feature.ATOMIC_WRITE)).isTrue();
        assertThat(left.context().supports(Feature.FLUSH_GLOBAL)).isTrue();
    }

    @Test
    @Covers("ibv_wr_flush")
    void flushesNothing() {
        assertThat(flush(remote.slice(0, 0), FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE))
                .isEqualTo(CompletionStatus.SUCCESS);
    }

    @Test
    @Covers("ibv_wr_flush")
    void flushesAWholeRegionWhateverTheRange() {
        var beyond = new RemoteMemory(remote.address() + remote.length(), 64, remote.remoteKey());
        assertThat(flush(beyond, FlushType.GLOBAL_VISIBILITY, FlushLevel.REGION))
                .isEqualTo(CompletionStatus.SUCCESS);
        assertThat(flush(beyond, FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)).isEqualTo(REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers("ibv_wr_flush")
    void isNotFlushedByAWrongKey() {
        assertThat(flush(
                new RemoteMemory(remote.address(), 64, remote.remoteKey() ^ 0x5500),
                FlushType.GLOBAL_VISIBILITY,
                FlushLevel.RANGE))
                .isEqualTo(REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers("ibv_wr_flush")
    void isNotFlushedIfTheRegionDoesNotGrantIt() {
        var plain = right.domain().allocate(64, LOCAL_WRITE, REMOTE_WRITE);
        assertThat(flush(plain.remote(), FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE))
                .isEqualTo(REMOTE_ACCESS_ERROR);
    }

    /// The right to flush to persistence is for persistent memory only, of which a machine without NVDIMM has none.
    @Test
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_rc_flush_type_violate")
    @Covers("ibv_wr_flush")
    void isNotMadePersistentIfItIsOrdinaryMemory() {
        assertThat(left.context().supports(Feature.FLUSH_PERSISTENT)).isTrue();
        assertThatThrownBy(() -> right.domain().allocate(64, LOCAL_WRITE, REMOTE_WRITE, FLUSH_PERSISTENT))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThat(flush(remote, FlushType.PERSISTENCE, FlushLevel.RANGE)).isEqualTo(REMOTE_ACCESS_ERROR);
    }

    private ConnectedPair strict() {
        return ConnectedPair.onTheWire()
                .access(LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, FLUSH_GLOBAL)
                .right(builder -> builder.access(REMOTE_READ))
                .connect();
    }

    private CompletionStatus atomicWrite(RemoteMemory target) {
        left.post(batch -> batch.signaled().atomicWrite(1).remote(target).post());
        return left.completions().next().status();
    }

    private CompletionStatus flush(RemoteMemory target, FlushType type, FlushLevel level) {
        left.post(batch -> batch.signaled().flush(type, level).remote(target).post());
        return left.completions().next().status();
    }
}
