// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ErrnoSlotsTest {
    @Test
    void sixteenSlotsAreDistinctAndThenThereAreNone() {
        Set<Integer> slots = new HashSet<>();
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            int slot = ErrnoSlots.take();
            slots.add(slot);
            addresses.add(ErrnoSlots.memory(slot).address());
        }
        assertThat(slots).hasSize(16).allMatch(slot -> slot >= 0 && slot < 16);
        assertThat(addresses).hasSize(16);
        assertThat(ErrnoSlots.take()).isEqualTo(-1);
        slots.forEach(ErrnoSlots::release);
        int again = ErrnoSlots.take();
        assertThat(again).isNotNegative();
        ErrnoSlots.release(again);
    }

    @Test
    void callsStillReportTheirErrorWhenAllSlotsAreTaken() {
        List<Integer> taken = new ArrayList<>();
        for (int slot = ErrnoSlots.take(); slot >= 0; slot = ErrnoSlots.take()) {
            taken.add(slot);
        }
        try {
            assertThat(Syscalls.close(-1)).isEqualTo(-Errno.EBADF);
        } finally {
            taken.forEach(ErrnoSlots::release);
        }
    }

    /// A call that did not release its slot would eventually leave none, and later calls would allocate.
    @Test
    void everyCallGivesItsSlotBack() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(16);
            List<LongSupplier> calls = List.of(
                    ErrnoSlotsTest::openNothing,
                    () -> Syscalls.close(-1),
                    () -> Syscalls.ioctl(-1, 0, bytes),
                    () -> Syscalls.write(-1, bytes),
                    () -> Syscalls.read(-1, bytes),
                    () -> Syscalls.mmap(0, 4096, 0, 0, -1, 0),
                    () -> Syscalls.munmap(1, 1),
                    () -> Syscalls.eventfd(-1),
                    () -> Syscalls.socket(-1, 0, 0),
                    () -> Syscalls.bind(-1, bytes),
                    () -> Syscalls.setsockopt(-1, 0, 0, bytes),
                    () -> Syscalls.getsockopt(-1, 0, 0, bytes, bytes));
            for (LongSupplier call : calls) {
                assertThat(call.getAsLong()).isNegative();
            }
        }
        assertAllSlotsAreFree();
    }

    private static void assertAllSlotsAreFree() {
        List<Integer> free = new ArrayList<>();
        for (int slot = ErrnoSlots.take(); slot >= 0; slot = ErrnoSlots.take()) {
            free.add(slot);
        }
        free.forEach(ErrnoSlots::release);
        assertThat(free).hasSize(16);
    }

    /// A call with freed memory is not executed.
    @Test
    void aCallThatFailsBeforeTheSystemGivesItsSlotBack() {
        Arena arena = Arena.ofConfined();
        MemorySegment freed = arena.allocate(16);
        arena.close();
        List<LongSupplier> calls = List.of(
                () -> Syscalls.open(freed, 0),
                () -> Syscalls.ioctl(-1, 0, freed),
                () -> Syscalls.writeOnce(-1, freed),
                () -> Syscalls.read(-1, freed),
                () -> Syscalls.bind(-1, freed),
                () -> Syscalls.setsockopt(-1, 0, 0, freed),
                () -> Syscalls.getsockopt(-1, 0, 0, freed, freed));
        for (LongSupplier call : calls) {
            assertThatThrownBy(call::getAsLong).isInstanceOf(IllegalStateException.class);
        }
        assertAllSlotsAreFree();
    }

    @Test
    void everyThreadSeesItsOwnError() throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            boolean badDescriptor = i % 2 == 0;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < 2000; n++) {
                    int expected = badDescriptor ? -Errno.EBADF : -Errno.ENOENT;
                    int found = badDescriptor ? Syscalls.close(-1) : openNothing();
                    if (found != expected) {
                        synchronized (wrong) {
                            wrong.add(found + " instead of " + expected);
                        }
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
    }

    private static int openNothing() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom("/nowhere/at/all");
            return Syscalls.open(path, LinuxConstants.O_RDWR);
        }
    }
}
