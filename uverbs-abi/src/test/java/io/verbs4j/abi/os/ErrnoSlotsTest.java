// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
