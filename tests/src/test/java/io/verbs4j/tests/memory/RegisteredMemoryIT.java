// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.memory;

import static io.verbs4j.types.Access.LOCAL_WRITE;
import static io.verbs4j.types.Access.REMOTE_READ;
import static io.verbs4j.types.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.MemoryRegion;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.Access;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Memory of every origin, written to and read by the peer.
@DeviceTest
@Covers("ibv_reg_mr")
class RegisteredMemoryIT {
    private static final Access[] ALL = {LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE};
    private static final int LENGTH = 3 * 4096;

    private final ConnectedPair pair = ConnectedPair.onOneDevice().connect();
    private final End left = pair.left();
    private final End right = pair.right();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void carriesBytesIfTheRegionAllocatedIt() {
        try (var region = right.domain().allocate(LENGTH, ALL)) {
            assertPeerCanUse(region);
        }
    }

    @Test
    void carriesBytesIfItIsOfASharedArena() {
        try (
                Arena arena = Arena.ofShared();
                var region = right.domain().register(arena.allocate(LENGTH), ALL)) {
            assertPeerCanUse(region);
        }
    }

    @Test
    void carriesBytesIfItIsOfAConfinedArena() {
        try (
                Arena arena = Arena.ofConfined();
                var region = right.domain().register(arena.allocate(LENGTH), ALL)) {
            assertPeerCanUse(region);
        }
    }

    @Test
    void carriesBytesIfTheCollectorFreesIt() {
        try (var region = right.domain().register(Arena.ofAuto().allocate(LENGTH), ALL)) {
            assertPeerCanUse(region);
        }
    }

    @Test
    void carriesBytesIfItIsNeverFreed() {
        try (var region = right.domain().register(Arena.global().allocate(LENGTH), ALL)) {
            assertPeerCanUse(region);
        }
    }

    @Test
    void carriesBytesIfItIsAFileInMemory() throws IOException {
        Path file = Files.createTempFile(Path.of("/dev/shm"), "region", "");
        try (
                var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Arena arena = Arena.ofShared();
                var region = right.domain().register(channel.map(MapMode.READ_WRITE, 0, LENGTH, arena), ALL)) {
            assertPeerCanUse(region);
            assertThat(Files.readAllBytes(file)).isEqualTo(region.segment().toArray(ValueLayout.JAVA_BYTE));
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void carriesBytesIfItBeginsAmidAPage() {
        try (
                Arena arena = Arena.ofShared();
                var region = right.domain().register(arena.allocate(5 * 4096, 4096).asSlice(4097, LENGTH), ALL)) {
            assertPeerCanUse(region);
        }
    }

    @Test
    @Covers({"ibv_reg_mr_iova", "ibv_reg_mr_iova2"})
    void isCalledByTheAddressThatItWasRegisteredAt() {
        long iova = 0x7_0000_0000L;
        try (
                Arena arena = Arena.ofShared();
                var region = right.domain().registerAt(arena.allocate(LENGTH, 4096), iova, ALL)) {
            assertThat(region.address()).isEqualTo(iova);
            assertThat(region.remote().slice(8, 8).address()).isEqualTo(iova + 8);
            assertPeerCanUse(region);
        }
    }

    @Test
    @Covers({"ibv_reg_mr_iova", "ibv_reg_mr_iova2"})
    void mayBeCalledByAddressesFromZero() {
        try (
                Arena arena = Arena.ofShared();
                var region = right.domain().registerAt(arena.allocate(LENGTH, 4096), 0, ALL)) {
            assertPeerCanUse(region);
        }
    }

    @Test
    void isKeptReachableByItsRegion() {
        try (var region = right.domain().register(Arena.ofAuto().allocate(LENGTH), ALL)) {
            System.gc();
            assertPeerCanUse(region);
        }
    }

    @Test
    void cannotBeUsedAfterItsArenaWasClosed() {
        Arena arena = Arena.ofShared();
        try (var region = left.domain().register(arena.allocate(64), ALL)) {
            arena.close();
            try (var batch = left.queuePair().beginSend()) {
                assertThatThrownBy(() -> batch.send(region, 0, 64))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the memory of " + region + " was freed while it is registered");
            }
        }
    }

    @Test
    void cannotBeUsedAfterItsRegionWasClosed() {
        var region = left.domain().allocate(64, ALL);
        region.close();
        try (
                var sends = left.queuePair().beginSend();
                var receives = left.queuePair().beginReceive()) {
            assertThatThrownBy(() -> sends.send(region, 0, 64))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(region + " is closed");
            assertThatThrownBy(() -> receives.receive(region, 0, 64))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(region + " is closed");
        }
    }

    @Test
    void isNotWrittenToWithoutTheRight() {
        try (
                var region = left.domain().allocate(64);
                var sends = left.queuePair().beginSend();
                var receives = left.queuePair().beginReceive()) {
            assertThatThrownBy(() -> receives.receive(region, 0, 64))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a receive writes to " + region + ", which lacks LOCAL_WRITE");
            assertThatThrownBy(() -> sends.rdmaRead(region, 0, 64, right.memory().remote(), 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lacks LOCAL_WRITE");
            assertThatThrownBy(() -> sends.fetchAndAdd(region, 0, right.memory().remote(), 0, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lacks LOCAL_WRITE");
        }
    }

    /// Writes the whole region from the other end, and reads a part across its first page's border back.
    private void assertPeerCanUse(MemoryRegion region) {
        TestBytes.fill(left.bytes(0, LENGTH), 1);
        left.post(batch -> batch.signaled().rdmaWrite(left.memory(), 0, LENGTH, region.remote(), 0));
        left.completions().nextSuccess();
        TestBytes.assertHolds(region.segment(), 1);

        MemorySegment part = region.segment().asSlice(4090, 100);
        TestBytes.fill(part, 2);
        left.post(batch -> batch.signaled().rdmaRead(left.memory(), 20_000, 100, region.remote(), 4090));
        left.completions().nextSuccess();
        TestBytes.assertHolds(left.bytes(20_000, 100), 2);
    }
}
