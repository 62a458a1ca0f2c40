// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Programs get the same exceptions and messages as over TCP, with the failure over RDMA as the cause.
class SocketFailuresTest {
    private static void assertTranslates(
            Function<RuntimeException, IOException> translation,
            RuntimeException failure,
            Class<? extends IOException> type,
            String message) {
        assertThat(translation.apply(failure))
                .isExactlyInstanceOf(type)
                .hasMessageStartingWith(message)
                .cause()
                .isSameAs(failure);
    }

    private static VerbsException errno(int errno) {
        return new VerbsException("step", errno, "of the test");
    }

    @Test
    void readingAndWritingKnowAReset() {
        assertTranslates(SocketFailures::reading, errno(Errno.ECONNRESET), SocketException.class, "Connection reset");
        assertTranslates(SocketFailures::writing, errno(Errno.ECONNRESET), SocketException.class, "Broken pipe");
        VerbsException other = errno(Errno.EIO);
        assertTranslates(SocketFailures::reading, other, SocketException.class, message(other));
        assertTranslates(SocketFailures::writing, other, SocketException.class, message(other));
        var state = new IllegalStateException("the device is gone");
        assertTranslates(SocketFailures::reading, state, SocketException.class, "the device is gone");
    }

    private static String message(RuntimeException failure) {
        return String.valueOf(failure.getMessage());
    }

    @Test
    void connectingHasTheExceptionOfEachErrno() {
        for (int errno : new int[]{Errno.ENETUNREACH, Errno.EHOSTUNREACH, Errno.ENODEV}) {
            assertTranslates(SocketFailures::connecting, errno(errno), NoRouteToHostException.class,
                    "No route to host over RDMA");
        }
        assertTranslates(SocketFailures::connecting, errno(Errno.ETIMEDOUT), SocketTimeoutException.class,
                "Connect timed out");
        assertTranslates(SocketFailures::connecting, errno(Errno.EADDRINUSE), BindException.class,
                "Address already in use over RDMA");
        assertTranslates(SocketFailures::connecting, errno(Errno.EADDRNOTAVAIL), BindException.class,
                "Cannot assign requested address");
        VerbsException other = errno(Errno.EIO);
        assertTranslates(SocketFailures::connecting, other, ConnectException.class, message(other));
        var state = new IllegalStateException("the channel is closed");
        assertTranslates(SocketFailures::connecting, state, ConnectException.class, "the channel is closed");
    }

    @Test
    void bindingHasTheExceptionOfEachErrno() {
        Map.of(
                Errno.EADDRINUSE, "Address already in use",
                Errno.EADDRNOTAVAIL, "Cannot assign requested address",
                Errno.EACCES, "Permission denied")
                .forEach((errno, text) -> assertTranslates(
                        SocketFailures::binding, errno(errno), BindException.class, text));
        VerbsException other = errno(Errno.EIO);
        assertTranslates(SocketFailures::binding, other, SocketException.class, message(other));
        var state = new IllegalStateException("the server is closed");
        assertTranslates(SocketFailures::binding, state, SocketException.class, "the server is closed");
    }

    @Test
    void aStepOfASocketThrowsAsASocketDoes() throws Exception {
        assertThat(SocketFailures.<String>asSocket(() -> "done")).isEqualTo("done");
        var closed = new ClosedChannelException();
        assertThatThrownBy(() -> SocketFailures.asSocket(() -> {
            throw closed;
        })).isExactlyInstanceOf(SocketException.class).hasMessage("Socket is closed").cause().isSameAs(closed);
        var bind = new BindException("in use");
        assertThatThrownBy(() -> SocketFailures.asSocket(() -> {
            throw bind;
        })).isSameAs(bind);
        var other = new IOException("of the disk");
        assertThatThrownBy(() -> SocketFailures.asSocket(() -> {
            throw other;
        })).isExactlyInstanceOf(SocketException.class).hasMessage("of the disk").cause().isSameAs(other);
    }
}
