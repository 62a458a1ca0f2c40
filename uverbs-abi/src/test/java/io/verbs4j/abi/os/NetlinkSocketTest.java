// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An eventfd in place of the socket: what was sent is received, or a timeout ends the wait.
@Timeout(20)
class NetlinkSocketTest {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(64, 8);
    private final LinuxEventFile file = new LinuxEventFile(Syscalls.eventfd(LinuxConstants.EFD_CLOEXEC));

    @AfterEach
    void close() {
        file.close();
        arena.close();
    }

    @Test
    void receivesWhatWasSent() {
        var socket = new NetlinkSocket(file, 0);
        assertThat(socket.send(arena.allocateFrom(ValueLayout.JAVA_LONG, 5L))).isEqualTo(8);
        assertThat(socket.receive(buffer)).isEqualTo(8);
        assertThat(buffer.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(5);
    }

    @Test
    void waitsForADatagram() throws InterruptedException {
        var socket = new NetlinkSocket(file, TimeUnit.SECONDS.toNanos(10));
        Thread sender = Thread.ofPlatform().start(() -> {
            while (file.waiting() == 0) {
                Thread.onSpinWait();
            }
            try (Arena own = Arena.ofConfined()) {
                socket.send(own.allocateFrom(ValueLayout.JAVA_LONG, 6L));
            }
        });
        assertThat(socket.receive(buffer)).isEqualTo(8);
        assertThat(buffer.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(6);
        sender.join();
    }

    @Test
    void aWaitHasALimitAndMayBeInterrupted() {
        var socket = new NetlinkSocket(file, TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(socket.receive(buffer)).isEqualTo(-Errno.ETIMEDOUT);
        Thread.currentThread().interrupt();
        assertThat(socket.receive(buffer)).isEqualTo(-Errno.EINTR);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closesItsFile() {
        new NetlinkSocket(file, 0).close();
        assertThat(file.read(buffer)).isEqualTo(-Errno.EBADF);
    }
}
