// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.memory;

import static io.verbs4j.types.Access.LOCAL_WRITE;
import static io.verbs4j.types.Access.REMOTE_READ;
import static io.verbs4j.types.Access.REMOTE_WRITE;
import static io.verbs4j.types.Access.ZERO_BASED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/// Regions that change their domain or access rights while peers use them. [AbsentReregistrationIT] tests kernels
/// without this feature.
@DeviceTest
@EnabledIf(Kernel.REREGISTRATION)
@Covers("ibv_rereg_mr")
@Needs.EachKernel
class ReregistrationIT {
    private final ConnectedPair pair = ConnectedPair.onTheWire().connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final MemoryRegion region = right.domain().allocate(4096, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void isAnnouncedAsAFeature() {
        assertThat(right.context().supports(Feature.REREGISTER_MEMORY)).isTrue();
    }

    @Test
    @Scenario("test_mr.MRTest.test_mr_rereg_access_bad_flow")
    void takesARightFromThePeer() {
        assertThat(write()).isEqualTo(CompletionStatus.SUCCESS);
        region.changeAccess(LOCAL_WRITE, REMOTE_READ);
        assertThat(region.access()).containsExactlyInAnyOrder(LOCAL_WRITE, REMOTE_READ);
        assertThat(read()).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(write()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    @Scenario({
            "test_mr.MRTest.test_mr_rereg_access",
            "test_mr.MRTest.test_mrex_rereg_access"
    })
    void givesThePeerARight() {
        region.changeAccess(REMOTE_READ);
        assertThat(read()).isEqualTo(CompletionStatus.SUCCESS);
        region.changeAccess(LOCAL_WRITE, REMOTE_WRITE);
        assertThat(write()).isEqualTo(CompletionStatus.SUCCESS);
    }

    @Test
    void takesARightFromOurselves() {
        region.changeAccess(REMOTE_READ);
        try (var batch = right.queuePair().beginReceive()) {
            assertThatThrownBy(() -> batch.receive(region, 0, 64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lacks LOCAL_WRITE");
        }
    }

    @Test
    void refusesRightsThatDoNotGoTogether() {
        assertThatThrownBy(() -> region.changeAccess(REMOTE_WRITE))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThatThrownBy(() -> region.changeAccess(LOCAL_WRITE, ZERO_BASED))
                .isInstanceOf(NotSupportedException.class);

        assertThat(region.access()).contains(REMOTE_WRITE);
        assertThat(write()).as("it is as before").isEqualTo(CompletionStatus.SUCCESS);
    }

    /// `ib_umem_check_rereg` (umem.c), since Linux 7.1 and releases such as 6.12.117.
    @Test
    void givesNoRightToWriteToMemoryThatIsPinnedForReading() {
        MemoryRegion readable = right.domain().allocate(4096, REMOTE_READ);
        assertThatThrownBy(() -> readable.changeAccess(LOCAL_WRITE, REMOTE_WRITE))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EACCES))
                .hasMessageContaining("register it anew");
        assertThat(readable.access()).containsExactly(REMOTE_READ);
    }

    @Test
    @Scenario("test_mr.MRTest.test_mr_rereg_pd")
    void hidesARegionFromQueuePairsOfItsFormerDomain() {
        var other = right.context().allocateProtectionDomain();
        assertThat(write()).isEqualTo(CompletionStatus.SUCCESS);
        region.moveTo(other);
        assertThat(write()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    void showsARegionToQueuePairsOfItsNewDomain() {
        var other = right.context().allocateProtectionDomain();
        region.moveTo(other);
        var prepared = other.reliableConnection(right.queue()).prepare();
        QueuePair loop = prepared.connect(prepared.endpoint());
        try (var batch = loop.beginSend()) {
            batch.signaled().write().local(region, 0, 8).remote(region.remote(), 64).post();
            batch.submit();
        }
        assertThat(right.completions().next().status()).isEqualTo(CompletionStatus.SUCCESS);
        try (var batch = right.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.send().local(region, 0, 8).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another protection domain");
        }
    }

    @Test
    void isOfOneContextOnly() {
        var foreign = left.domain();
        assertThatThrownBy(() -> region.moveTo(foreign))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(foreign + " belongs to another context");
    }

    private CompletionStatus write() {
        left.post(batch -> batch.signaled().write().local(left.memory(), 0, 8).remote(target()).post());
        return left.completions().next().status();
    }

    private CompletionStatus read() {
        left.post(batch -> batch.signaled().read().local(left.memory(), 0, 8).remote(target()).post());
        return left.completions().next().status();
    }

    private RemoteMemory target() {
        return new RemoteMemory(region.address(), region.length(), region.remoteKey());
    }
}
