// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.types.Ranges;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Options of a stream, for either end. Immutable.
///
/// @param connectTimeout the longest time that connecting or accepting may take
/// @param timeout the longest time that a read waits for its first byte, or a write waits for room
/// @param drain the longest time that closing waits for outstanding bytes
/// @param sendBytes bytes that may be in flight, [#MIN_BYTES] to [#MAX_BYTES]
/// @param receiveBytes bytes that may arrive before they are read, an even number, [#MIN_BYTES] to [#MAX_BYTES]
/// @param mappings maximum number of memory regions that the peer may map for this end's
///     [direct writes][RdmaStream#writeMapped], 0 to 128
/// @param messages data messages that may arrive before they are read, [#MIN_MESSAGES] to [#MAX_MESSAGES]; also the
///     number of work requests that each direction has room for
/// @param source the local address to connect from; null to let the route determine this address
/// @param group the group whose resources the stream shares; null for none
public record StreamOptions(
        Duration connectTimeout,
        Duration timeout,
        Duration drain,
        int sendBytes,
        int receiveBytes,
        int mappings,
        int messages,
        @Nullable InetSocketAddress source,
        @Nullable StreamGroup group) {
    /// The size of the smallest ring, in bytes.
    public static final int MIN_BYTES = 4096;

    /// The size of the largest ring, in bytes.
    public static final int MAX_BYTES = 1 << 28;

    /// The minimum of `messages`.
    public static final int MIN_MESSAGES = 8;

    /// The maximum of `messages`.
    public static final int MAX_MESSAGES = 1 << 14;

    private static final int MAX_MAPPINGS = 1 << 7;
    private static final int DEFAULT_BYTES = 1 << 17;
    /// The default of rsockets in C.
    private static final int DEFAULT_MESSAGES = 384;
    private static final StreamOptions DEFAULTS = new StreamOptions(
            Duration.ofSeconds(30), Duration.ofDays(365), Duration.ofSeconds(10), DEFAULT_BYTES, DEFAULT_BYTES, 0,
            DEFAULT_MESSAGES, null, null);

    /// Checks the sizes.
    public StreamOptions {
        Ranges.check("sendBytes", sendBytes, MIN_BYTES, MAX_BYTES);
        Ranges.check("receiveBytes", receiveBytes, MIN_BYTES, MAX_BYTES);
        Ranges.check("mappings", mappings, 0, MAX_MAPPINGS);
        Ranges.check("messages", messages, MIN_MESSAGES, MAX_MESSAGES);
        if (receiveBytes % 2 != 0) {
            throw new IllegalArgumentException("receiveBytes=" + receiveBytes + " is odd");
        }
    }

    /// Returns the default options: a ring of 128 KiB in each direction, 384 messages in each direction, and no
    /// mappings. Connecting takes at most 30 seconds, closing at most 10 seconds. Reads and writes wait for at most 365
    /// days.
    public static StreamOptions defaults() {
        return DEFAULTS;
    }

    /// Sets the longest time that connecting or accepting may take.
    public StreamOptions withConnectTimeout(Duration value) {
        return new StreamOptions(value, timeout, drain, sendBytes, receiveBytes, mappings, messages, source, group);
    }

    /// Sets the longest time that a read waits for its first byte, or a write waits for room.
    public StreamOptions withTimeout(Duration value) {
        return new StreamOptions(connectTimeout, value, drain, sendBytes, receiveBytes, mappings, messages, source,
                group);
    }

    /// Sets the longest time that closing waits for outstanding bytes.
    public StreamOptions withDrain(Duration value) {
        return new StreamOptions(connectTimeout, timeout, value, sendBytes, receiveBytes, mappings, messages, source,
                group);
    }

    /// Sets the sizes of the rings in bytes, [#MIN_BYTES] to [#MAX_BYTES] each. The receiving size must be even.
    public StreamOptions withBuffers(int sending, int receiving) {
        return new StreamOptions(connectTimeout, timeout, drain, sending, receiving, mappings, messages, source, group);
    }

    /// Sets the local address to connect from.
    public StreamOptions withSource(InetSocketAddress value) {
        return new StreamOptions(connectTimeout, timeout, drain, sendBytes, receiveBytes, mappings, messages, value,
                group);
    }

    /// Sets the maximum number of memory regions that the peer may map, 0 to 128; 0 by default. This end writes into
    /// these regions by [RdmaStream#writeMapped].
    public StreamOptions withMappings(int value) {
        return new StreamOptions(connectTimeout, timeout, drain, sendBytes, receiveBytes, value, messages, source,
                group);
    }

    /// Sets the number of data messages that may arrive before they are read, [#MIN_MESSAGES] to [#MAX_MESSAGES]. A
    /// smaller number needs less memory, because each queue of the connection has room for this many work requests. A
    /// device with small completion queues may permit fewer messages. Connecting then throws an
    /// [IllegalArgumentException].
    public StreamOptions withMessages(int value) {
        return new StreamOptions(
                connectTimeout, timeout, drain, sendBytes, receiveBytes, mappings, value, source, group);
    }

    /// Adds the stream to a group, whose streams share devices, descriptors and a memory limit.
    public StreamOptions withGroup(StreamGroup value) {
        return new StreamOptions(
                connectTimeout, timeout, drain, sendBytes, receiveBytes, mappings, messages, source, value);
    }
}
