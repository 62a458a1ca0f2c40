// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import io.verbs4j.types.Gid;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// The bytes of a message, with their layout. Numbers are in network order. Immutable.
public final class Fields {
    private static final int HEX_FROM_BITS = 16;
    private static final int MAX_TEXT = 32;

    private final BitLayout layout;
    private final byte[] bytes;

    private Fields(BitLayout layout, byte[] bytes) {
        this.layout = layout;
        this.bytes = bytes;
    }

    /// Reads a message.
    ///
    /// @param source contains the message, from `offset` on
    /// @throws IndexOutOfBoundsException if the source is too short for the layout; callers check this beforehand
    static Fields read(BitLayout layout, byte[] source, int offset) {
        if (offset + layout.bytes() > source.length) {
            throw new IndexOutOfBoundsException("the message has " + layout.bytes() + " bytes: length="
                    + (source.length - offset));
        }
        return new Fields(layout, Arrays.copyOfRange(source, offset, offset + layout.bytes()));
    }

    /// Returns a builder for a message of zeros.
    static Builder builder(BitLayout layout) {
        return new Builder(layout);
    }

    /// Returns the layout.
    public BitLayout layout() {
        return layout;
    }

    /// Returns a copy of all bytes.
    public byte[] bytes() {
        return bytes.clone();
    }

    /// Returns a number.
    ///
    /// @return the bits, unsigned
    /// @throws IllegalArgumentException if there is no such field, or it is not a number
    public long value(String name) {
        return value(layout.field(name));
    }

    /// Returns a number of at most 31 bits.
    ///
    /// @throws IllegalArgumentException if there is no such field, or the field is wider
    public int number(String name) {
        BitField field = layout.field(name);
        if (field.bits() >= Integer.SIZE) {
            throw new IllegalArgumentException("the field does not fit an int: name=" + name);
        }
        return (int) value(field);
    }

    /// Returns a number.
    ///
    /// @throws IllegalArgumentException if the field is not a number
    public long value(BitField field) {
        if (!field.isNumber()) {
            throw new IllegalArgumentException("the field is not a number: name=" + field.name());
        }
        long value = 0;
        for (int bit = field.bitOffset(); bit < field.bitOffset() + field.bits(); bit++) {
            value = (value << 1) | ((bytes[bit / Byte.SIZE] >>> (7 - bit % Byte.SIZE)) & 1);
        }
        return value;
    }

    /// Returns a copy of the bytes of a byte-aligned field.
    ///
    /// @throws IllegalArgumentException if there is no such field, or it is not byte-aligned
    public byte[] bytes(String name) {
        return bytes(layout.field(name));
    }

    private byte[] bytes(BitField field) {
        if (field.bitOffset() % Byte.SIZE != 0 || field.bits() % Byte.SIZE != 0) {
            throw new IllegalArgumentException("the field is not of whole bytes: name=" + field.name());
        }
        return Arrays.copyOfRange(bytes, field.byteOffset(), field.byteOffset() + field.bytes());
    }

    /// Returns a GID.
    ///
    /// @throws IllegalArgumentException if there is no such field, or the field does not have 128 bits
    public Gid gid(String name) {
        return Gid.of(bytes(name));
    }

    /// Returns a field as text: small numbers in decimal, others in hexadecimal with all digits, GIDs in their
    /// notation, the beginning of longer fields in hexadecimal.
    public String text(BitField field) {
        if (field.isNumber()) {
            long value = value(field);
            return field.bits() < HEX_FROM_BITS
                    ? Long.toString(value)
                    : "0x" + HexFormat.of().toHexDigits(value, Math.ceilDiv(field.bits(), 4));
        }
        byte[] all = bytes(field);
        if (all.length == Gid.BYTES) {
            return Gid.of(all).toString();
        }
        int end = all.length;
        while (end > 0 && all[end - 1] == 0) {
            end--;
        }
        String hex = HexFormat.of().formatHex(all, 0, Math.min(end, MAX_TEXT));
        return end == 0 ? all.length + " zeros" : end > MAX_TEXT ? hex + "…" : hex;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fields fields
                && layout.equals(fields.layout)
                && Arrays.equals(bytes, fields.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// Fills in a message.
    public static final class Builder {
        private final BitLayout layout;
        private final byte[] bytes;

        private Builder(BitLayout layout) {
            this.layout = layout;
            this.bytes = new byte[layout.bytes()];
        }

        /// Sets a number.
        ///
        /// @throws IllegalArgumentException if there is no such field, it is not a number, or the value does not fit
        public Builder set(String name, long value) {
            BitField field = layout.field(name);
            if (!field.isNumber() || (field.bits() < Long.SIZE && value >>> field.bits() != 0)) {
                throw new IllegalArgumentException(
                        "does not fit " + field.bits() + " bits: " + name + "=" + Long.toUnsignedString(value));
            }
            for (int i = 0; i < field.bits(); i++) {
                int bit = field.bitOffset() + field.bits() - 1 - i;
                int mask = 1 << (7 - bit % Byte.SIZE);
                int old = bytes[bit / Byte.SIZE] & ~mask;
                bytes[bit / Byte.SIZE] = (byte) (((value >>> i) & 1) == 0 ? old : old | mask);
            }
            return this;
        }

        /// Sets the first bytes of a field; the rest becomes zero.
        ///
        /// @throws IllegalArgumentException if there is no such field, it is not byte-aligned, or there are too many
        ///     bytes
        public Builder set(String name, byte[] value) {
            BitField field = layout.field(name);
            if (field.bitOffset() % Byte.SIZE != 0 || field.bits() % Byte.SIZE != 0 || value.length > field.bytes()) {
                throw new IllegalArgumentException(
                        "does not fit " + field.bits() + " bits: " + name + ".length=" + value.length);
            }
            int end = field.byteOffset() + field.bytes();
            System.arraycopy(value, 0, bytes, field.byteOffset(), value.length);
            Arrays.fill(bytes, field.byteOffset() + value.length, end, (byte) 0);
            return this;
        }

        /// Returns the message. The builder can be reused.
        public Fields build() {
            return new Fields(layout, bytes.clone());
        }
    }
}
