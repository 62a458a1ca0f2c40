// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// The options of a socket that is undecided or uses RDMA. Over RDMA, most options have no effect but are stored.
/// Thread-safe.
final class SocketSettings {
    private static final Map<SocketOption<?>, Object> OF_SOCKETS = Map.of(
            StandardSocketOptions.SO_SNDBUF, 0,
            StandardSocketOptions.SO_RCVBUF, 0,
            StandardSocketOptions.SO_REUSEADDR, false,
            StandardSocketOptions.SO_KEEPALIVE, false,
            StandardSocketOptions.SO_LINGER, -1,
            StandardSocketOptions.TCP_NODELAY, false);
    private static final Map<SocketOption<?>, Object> OF_SERVERS =
            Map.of(StandardSocketOptions.SO_RCVBUF, 0, StandardSocketOptions.SO_REUSEADDR, true);

    private final Map<SocketOption<?>, Object> defaults;
    private final int ringBytes;
    private final Map<SocketOption<?>, Object> values = new HashMap<>(); // guarded by this

    private SocketSettings(Map<SocketOption<?>, Object> defaults, int ringBytes) {
        this.defaults = defaults;
        this.ringBytes = ringBytes;
    }

    static SocketSettings ofSocket(int ringBytes) {
        return new SocketSettings(OF_SOCKETS, ringBytes);
    }

    static SocketSettings ofServer(int ringBytes) {
        return new SocketSettings(OF_SERVERS, ringBytes);
    }

    Set<SocketOption<?>> supported() {
        return defaults.keySet();
    }

    private void requireSupported(SocketOption<?> option) {
        Objects.requireNonNull(option, "option");
        if (!defaults.containsKey(option)) {
            throw new UnsupportedOperationException("'" + option + "' not supported");
        }
    }

    /// Returns the size of a buffer, which must be positive for a socket. A channel also accepts 0, which asks for the
    /// smallest buffer.
    static int requirePositive(int bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("the size of a buffer is " + bytes + ", not positive");
        }
        return bytes;
    }

    private static boolean isLinger(SocketOption<?> option) {
        return StandardSocketOptions.SO_LINGER.equals(option);
    }

    synchronized void set(SocketOption<?> option, Object value) {
        requireSupported(option);
        if (!option.type().isInstance(value)) {
            throw new IllegalArgumentException("the value of " + option + " is " + value);
        }
        if (value instanceof Integer number && !isLinger(option) && number < 0) {
            throw new IllegalArgumentException(option + "=" + number + " is negative");
        }
        values.put(option, isLinger(option) ? Math.clamp((Integer) value, -1, 65_535) : value);
    }

    synchronized <T> T get(SocketOption<T> option) {
        requireSupported(option);
        Object value = values.getOrDefault(option, defaults.getOrDefault(option, 0));
        return option.type().cast(value.equals(0) && !isLinger(option) ? ringBytes : value);
    }

    /// Applies the stored options to a channel of the JDK.
    synchronized void applyTo(NetworkChannel channel) throws IOException {
        for (Map.Entry<SocketOption<?>, Object> entry : values.entrySet()) {
            apply(channel, entry.getKey(), entry.getValue());
        }
    }

    @SuppressWarnings("unchecked") // set() has checked the value's type
    private static <T> void apply(NetworkChannel channel, SocketOption<?> option, T value) throws IOException {
        channel.setOption((SocketOption<T>) option, value);
    }
}
