// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// Bytes that an application adds to a message of the connection manager. Immutable.
///
/// **The length is not transmitted** over InfiniBand and RoCE: the receiver gets the full field of the message, with
/// trailing zeros. Over iWARP, the receiver gets exactly the sent bytes.
public final class PrivateData {
    /// No data.
    public static final PrivateData NONE = new PrivateData(new byte[0]);

    /// The maximum length in the kernel's interface. The messages have smaller limits.
    public static final int MAX_BYTES = 255;

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Copies bytes.
    ///
    /// @param bytes at most 255; each kind of message has its own smaller limit
    /// @throws IllegalArgumentException if there are more than 255 bytes
    public static PrivateData of(byte[] bytes) {
        Ranges.check("privateData.length", bytes.length, 0, MAX_BYTES);
        return bytes.length == 0 ? NONE : new PrivateData(bytes.clone());
    }

    /// Encodes a text in UTF-8.
    ///
    /// @throws IllegalArgumentException if the encoded text is longer than 255 bytes
    public static PrivateData of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns a copy of the bytes, including the zeros that fill the message.
    public byte[] bytes() {
        return bytes.clone();
    }

    /// Returns the number of bytes, including the zeros that fill the message.
    public int size() {
        return bytes.length;
    }

    /// Returns the text before the first zero byte, decoded as UTF-8.
    public String text() {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    /// Returns the bytes without the zeros at the end: the sent bytes, unless the sent bytes themselves ended with
    /// zeros.
    public byte[] trimmed() {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrivateData data && Arrays.equals(bytes, data.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// Returns the bytes in hexadecimal, without the zeros at the end.
    @Override
    public String toString() {
        return HexFormat.of().formatHex(trimmed());
    }
}
