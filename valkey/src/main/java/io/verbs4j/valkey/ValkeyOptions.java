// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.types.Ranges;
import java.time.Duration;

/// Options of a connection to a Valkey server. Immutable.
///
/// @param connectTimeout the longest time until the server has announced its buffer
/// @param timeout the longest time that a read waits for its first byte, or a write waits for room
/// @param keepAlive the longest time without a message from this end, at least 10 ms; then this end sends a keep-alive
/// @param silence the time without a message from the server after which the connection fails; zero for no limit
/// @param busyPolling the time that a waiting thread polls before the thread sleeps; zero for none
/// @param sendBytes bytes that may be in flight to the server, [#MIN_BYTES] to [#MAX_BYTES]
/// @param receiveBytes bytes that may arrive before they are read, [#MIN_BYTES] to [#MAX_BYTES]; the server allocates a
///     buffer of this size for the connection
/// @param messages messages that may arrive before this end processes them, 16 to 16384. If the server sends more
///     messages, the connection ends
public record ValkeyOptions(
        Duration connectTimeout,
        Duration timeout,
        Duration keepAlive,
        Duration silence,
        Duration busyPolling,
        int sendBytes,
        int receiveBytes,
        int messages) {
    /// The size of the smallest buffer, in bytes.
    public static final int MIN_BYTES = 1 << 12;

    /// The size of the largest buffer, in bytes.
    public static final int MAX_BYTES = 1 << 28;

    private static final int MIN_MESSAGES = 16;
    private static final int MAX_MESSAGES = 1 << 14;
    private static final Duration MIN_KEEP_ALIVE = Duration.ofMillis(10);
    /// The buffer size used by the server's `rdma.c`.
    private static final int DEFAULT_BYTES = 1 << 20;
    private static final int DEFAULT_MESSAGES = 1024;
    private static final Duration DEFAULT_KEEP_ALIVE = Duration.ofSeconds(3);
    private static final ValkeyOptions DEFAULTS = new ValkeyOptions(
            Duration.ofSeconds(30), Duration.ofDays(365), DEFAULT_KEEP_ALIVE, Duration.ofMinutes(1),
            Duration.ofNanos(20_000), DEFAULT_BYTES, DEFAULT_BYTES, DEFAULT_MESSAGES);

    /// Checks the sizes and times.
    public ValkeyOptions {
        Ranges.check("sendBytes", sendBytes, MIN_BYTES, MAX_BYTES);
        Ranges.check("receiveBytes", receiveBytes, MIN_BYTES, MAX_BYTES);
        Ranges.check("messages", messages, MIN_MESSAGES, MAX_MESSAGES);
        if (keepAlive.compareTo(MIN_KEEP_ALIVE) < 0) {
            throw new IllegalArgumentException("keepAlive=" + keepAlive + " is less than " + MIN_KEEP_ALIVE);
        }
        for (Duration duration : new Duration[]{connectTimeout, timeout, silence, busyPolling}) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException("a timeout is negative: " + duration);
            }
        }
    }

    /// Returns the default options: buffers of 1 MiB in each direction, and at most 30 seconds to connect. Reads and
    /// writes wait for at most 365 days. This end sends a keep-alive every 3 seconds, like the server. The connection
    /// fails after a minute without a message from the server.
    public static ValkeyOptions defaults() {
        return DEFAULTS;
    }

    /// Sets the longest time until the server has announced its buffer.
    public ValkeyOptions withConnectTimeout(Duration value) {
        return new ValkeyOptions(
                value, timeout, keepAlive, silence, busyPolling, sendBytes, receiveBytes, messages);
    }

    /// Sets the longest time that a read waits for its first byte, or a write waits for room.
    public ValkeyOptions withTimeout(Duration value) {
        return new ValkeyOptions(
                connectTimeout, value, keepAlive, silence, busyPolling, sendBytes, receiveBytes, messages);
    }

    /// Sets the interval of this end's keep-alives, and the time that the server may be silent. While a server runs a
    /// long script, the server sends no keep-alives.
    ///
    /// @param interval the longest time without a message from this end, at least 10 ms
    /// @param limit the time without a message from the server; zero for no limit
    public ValkeyOptions withKeepAlive(Duration interval, Duration limit) {
        return new ValkeyOptions(
                connectTimeout, timeout, interval, limit, busyPolling, sendBytes, receiveBytes, messages);
    }

    /// Sets the time that a waiting thread polls before the thread sleeps.
    public ValkeyOptions withBusyPolling(Duration value) {
        return new ValkeyOptions(
                connectTimeout, timeout, keepAlive, silence, value, sendBytes, receiveBytes, messages);
    }

    /// Sets the sizes of the buffers in bytes, [#MIN_BYTES] to [#MAX_BYTES] each.
    public ValkeyOptions withBuffers(int sending, int receiving) {
        return new ValkeyOptions(
                connectTimeout, timeout, keepAlive, silence, busyPolling, sending, receiving, messages);
    }

    /// Sets the number of messages that may arrive before this end processes them, 16 to 16384.
    public ValkeyOptions withMessages(int value) {
        return new ValkeyOptions(
                connectTimeout, timeout, keepAlive, silence, busyPolling, sendBytes, receiveBytes, value);
    }
}
