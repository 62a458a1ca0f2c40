// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.examples.kv;

import io.verbs4j.cm.ConnectionOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Encodes requests and answers: one byte of kind, two bytes of key length, the key in UTF-8, and the value as the
/// rest. An answer has no key.
final class Protocol {
    /// Suffices for many concurrent clients with requests and answers of 4096 bytes.
    static final ConnectionOptions OPTIONS = ConnectionOptions.defaults()
            .withTimeout(Duration.ofMinutes(1))
            .withQueues(1, 0)
            .withMessages(8, 4096);

    static final byte GET = 1;
    static final byte PUT = 2;
    static final byte REMOVE = 3;
    static final byte FOUND = 4;
    static final byte ABSENT = 5;

    private static final ValueLayout.OfShort LENGTH = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final int HEADER = 3;

    private Protocol() {}

    /// Writes a message.
    ///
    /// @return its length
    /// @throws IllegalArgumentException if it is longer than the memory
    static int write(MemorySegment to, byte kind, String key, byte[] value) {
        byte[] name = key.getBytes(StandardCharsets.UTF_8);
        int length = HEADER + name.length + value.length;
        if (name.length > Short.MAX_VALUE || length > to.byteSize()) {
            throw new IllegalArgumentException(
                    "key and value have " + (length - HEADER) + " bytes, but a message has room for "
                            + (to.byteSize() - HEADER));
        }
        to.set(ValueLayout.JAVA_BYTE, 0, kind);
        to.set(LENGTH, 1, (short) name.length);
        MemorySegment.copy(name, 0, to, ValueLayout.JAVA_BYTE, HEADER, name.length);
        MemorySegment.copy(value, 0, to, ValueLayout.JAVA_BYTE, HEADER + name.length, value.length);
        return length;
    }

    static byte kind(MemorySegment message) {
        return message.get(ValueLayout.JAVA_BYTE, 0);
    }

    /// @throws IndexOutOfBoundsException if the message is shorter than its header indicates
    static String key(MemorySegment message) {
        byte[] name = message.asSlice(HEADER, message.get(LENGTH, 1)).toArray(ValueLayout.JAVA_BYTE);
        return new String(name, StandardCharsets.UTF_8);
    }

    static byte[] value(MemorySegment message) {
        return message.asSlice(HEADER + message.get(LENGTH, 1)).toArray(ValueLayout.JAVA_BYTE);
    }
}
