// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.memory;

import static io.verbs4j.types.Access.HUGE_PAGES;
import static io.verbs4j.types.Access.LOCAL_WRITE;
import static io.verbs4j.types.Access.RELAXED_ORDERING;
import static io.verbs4j.types.Access.REMOTE_READ;
import static io.verbs4j.types.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.MemoryRegion;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.NativeMemory;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Memory of every origin, written to and read by the peer.
@AnyDevice
@DeviceTest
@Covers({"ibv_reg_mr", "ibv_reg_mr_iova", "ibv_reg_mr_iova2", "ibv_dereg_mr"})
@Needs.EachKernel
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
    @Covers({"ibv_reg_mr_iova", "ibv_reg_mr_iova2", "ibv_reg_mr_ex"})
    @NotOverSiw("memory by its own address only")
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
    @NotOverSiw("memory by its own address only")
    void mayBeCalledByAddressesFromZero() {
        try (
                Arena arena = Arena.ofShared();
                var region = right.domain().registerAt(arena.allocate(LENGTH, 4096), 0, ALL)) {
            assertPeerCanUse(region);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 32, 0x7fff_ffff_0000_0000L, 0xffff_8000_0000_0000L, -0x1_0000L})
    @NotOverSiw("memory by its own address only")
    void mayBeCalledByAnyAddress(long iova) {
        try (
                Arena arena = Arena.ofShared();
                var region = right.domain().registerAt(arena.allocate(LENGTH, 4096), iova, ALL)) {
            assertPeerCanUse(region);
        }
    }

    @Test
    void isNotCalledByAddressesThatWrapAround() {
        try (Arena arena = Arena.ofShared()) {
            var segment = arena.allocate(LENGTH, 4096);
            assertThatThrownBy(() -> right.domain().registerAt(segment, -4096L, ALL))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("iova=0xfffffffffffff000 and " + LENGTH + " bytes go beyond the last address");
        }
    }

    @Test
    @Scenario({
            "test_relaxed_ordering.RoTestCase.test_ro_mr_ex_traffic",
            "test_relaxed_ordering.RoTestCase.test_ro_rc_traffic"
    })
    void carriesBytesIfWritesMayBeReordered() {
        try (
                var region = right.domain()
                        .allocate(LENGTH, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, RELAXED_ORDERING)) {
            assertThat(region.access()).contains(RELAXED_ORDERING);
            assertPeerCanUse(region);
        }
    }

    @Test
    void carriesBytesIfItIsAFileOfHugePages() throws IOException {
        NativeMemory.reserveHugePages(2);
        Path folder = Files.createTempDirectory("huge");
        mount("mount", "-t", "hugetlbfs", "none", folder.toString());
        try (
                var channel = FileChannel.open(
                        folder.resolve("region"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                Arena arena = Arena.ofShared()) {
            var segment = channel.map(MapMode.READ_WRITE, 0, NativeMemory.HUGE_PAGE, arena);
            try (var region = right.domain().register(segment, ALL)) {
                assertThat(region.address() % NativeMemory.HUGE_PAGE).isZero();
                assertPeerCanUse(region);
            }
            if (Kernel.refusesForeignRegionRights() && !Wire.isSiw()) {
                assertThatThrownBy(() -> right.domain().register(segment, LOCAL_WRITE, HUGE_PAGES))
                        .as("rxe needs no hint")
                        .isInstanceOf(NotSupportedException.class);
            } else {
                right.domain().register(segment, LOCAL_WRITE, HUGE_PAGES).close();
            }
        } finally {
            mount("umount", folder.toString());
            Files.delete(folder);
        }
    }

    /// A million pages take a while on a machine without hardware virtualization.
    @Test
    @NotOverSiw("has other limits of a long region than rxe on 6.1 and 7.2")
    void mayBeLongerThanFourGibibytes() {
        assumeTrue(Kernel.pinsLongRegions(), "this kernel has no pinned regions of more than 1 GiB");
        try (Arena arena = Arena.ofShared()) {
            var segment = longMemory(arena);
            assertThat(segment.byteSize()).isGreaterThan(1L << 32);
            try (var region = right.domain().register(segment, ALL)) {
                assertPeerCanUse(region);
                for (long offset : new long[]{(1L << 31) - 4000, (1L << 32) - 4000, region.length() - 8000}) {
                    TestBytes.fill(left.bytes(0, 8000), (int) (offset >>> 20));
                    left.post(batch -> batch.signaled()
                            .write()
                            .local(left.memory(), 0, 8000)
                            .remote(region.remote(), offset)
                            .post());
                    left.completions().nextSuccess();
                    TestBytes.assertHolds(segment.asSlice(offset, 8000), (int) (offset >>> 20));
                    left.post(batch -> batch.signaled()
                            .read()
                            .local(left.memory(), 10_000, 8000)
                            .remote(region.remote(), offset)
                            .post());
                    left.completions().nextSuccess();
                    TestBytes.assertHolds(left.bytes(10_000, 8000), (int) (offset >>> 20));
                }
            }
        }
    }

    @Test
    @NotOverSiw("has other limits of a long region than rxe on 6.1 and 7.2")
    void mayNotBeLongerThanTheTableOfItsPagesCanBe() {
        assumeFalse(Kernel.pinsLongRegions(), "this kernel has pinned regions of more than 1 GiB");
        try (Arena arena = Arena.ofShared()) {
            var segment = longMemory(arena);
            assertThatThrownBy(() -> right.domain().register(segment, ALL))
                    .isInstanceOfSatisfying(
                            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
                    .satisfies(e -> assertThat(e.getMessage())
                            .as("the cause")
                            .contains(Wire.isMlx5() ? "memory regions" : "at most 1 GiB")
                            .doesNotContain("memlock"));
        }
    }

    private static MemorySegment longMemory(Arena arena) {
        NativeMemory.reserveHugePages(8);
        return NativeMemory.repeated(8 * NativeMemory.HUGE_PAGE, 257, arena);
    }

    @Test
    void mayBeReadIfItCannotBeWritten() throws IOException {
        Path file = Files.createTempFile(Path.of("/dev/shm"), "region", "");
        Files.write(file, TestBytes.of(3, LENGTH));
        try (
                var channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofShared()) {
            var segment = channel.map(MapMode.READ_ONLY, 0, LENGTH, arena);
            if (Kernel.pinsReadOnlyMemory()) {
                try (var region = right.domain().register(segment, REMOTE_READ)) {
                    left.post(batch -> batch.signaled()
                            .read()
                            .local(left.memory(), 0, LENGTH)
                            .remote(region.remote())
                            .post());
                    left.completions().nextSuccess();
                    TestBytes.assertHolds(left.bytes(0, LENGTH), 3);
                }
            } else {
                assertThatThrownBy(() -> right.domain().register(segment, REMOTE_READ))
                        .isInstanceOfSatisfying(
                                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EFAULT));
            }
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void cannotBeRegisteredWhereNothingIsMapped() {
        MemorySegment gone;
        try (Arena arena = Arena.ofShared()) {
            gone = NativeMemory.sparse(LENGTH, arena);
        }
        var unmapped = NativeMemory.at(gone.address(), LENGTH);
        assertThatThrownBy(() -> right.domain().register(unmapped, ALL))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EFAULT))
                .hasMessageContaining("not mapped");
    }

    private static void mount(String... command) {
        ExternalProcess.of(command).run(Duration.ofSeconds(10)).requireSuccess();
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
                assertThatThrownBy(() -> batch.send().local(region, 0, 64).post())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the memory of " + region + " was freed while it was registered");
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
            assertThatThrownBy(() -> sends.send().local(region, 0, 64).post())
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
            assertThatThrownBy(() -> sends.read().local(region, 0, 64).remote(right.memory().remote()).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lacks LOCAL_WRITE");
            assertThatThrownBy(() -> sends.fetchAndAdd(1)
                    .local(region, 0, Long.BYTES)
                    .remote(right.memory().remote())
                    .post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lacks LOCAL_WRITE");
        }
    }

    /// Writes the whole region from the other end, and reads a part across its first page's border back.
    private void assertPeerCanUse(MemoryRegion region) {
        TestBytes.fill(left.bytes(0, LENGTH), 1);
        left.post(batch -> batch.signaled().write().local(left.memory(), 0, LENGTH).remote(region.remote()).post());
        left.completions().nextSuccess();
        TestBytes.assertHolds(region.segment().asSlice(0, LENGTH), 1);

        MemorySegment part = region.segment().asSlice(4090, 100);
        TestBytes.fill(part, 2);
        left.post(batch -> batch.signaled()
                .read()
                .local(left.memory(), 20_000, 100)
                .remote(region.remote(), 4090)
                .post());
        left.completions().nextSuccess();
        TestBytes.assertHolds(left.bytes(20_000, 100), 2);
    }
}
