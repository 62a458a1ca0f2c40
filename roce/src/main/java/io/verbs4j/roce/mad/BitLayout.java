// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce.mad;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The fields of a message in wire order. Each field begins where the previous one ends, so the layout needs no
/// explicit offsets. Immutable.
public final class BitLayout {
    private final List<BitField> fields;
    private final Map<String, BitField> byName = new HashMap<>();
    private final int bytes;

    private BitLayout(List<BitField> fields, int bytes) {
        this.fields = List.copyOf(fields);
        this.bytes = bytes;
        for (BitField field : fields) {
            if (!field.isReserved() && byName.put(field.name(), field) != null) {
                throw new IllegalArgumentException("two fields have the same name: name=" + field.name());
            }
        }
    }

    /// Returns all fields, including reserved ones, in wire order.
    public List<BitField> fields() {
        return fields;
    }

    /// Returns the length of the message in bytes.
    public int bytes() {
        return bytes;
    }

    /// Returns whether there is a field with the given name.
    public boolean has(String name) {
        return byName.containsKey(name);
    }

    /// Returns the field with the given name.
    ///
    /// @throws IllegalArgumentException if there is none
    public BitField field(String name) {
        BitField found = byName.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no such field: name=" + name);
        }
        return found;
    }

    /// Builds a layout by adding fields from the first to the last.
    static final class Builder {
        private final List<BitField> fields = new ArrayList<>();
        private int next;

        /// Adds a field without a description.
        Builder field(String name, int bits) {
            return field(name, bits, "");
        }

        Builder field(String name, int bits, String meaning) {
            fields.add(new BitField(name, next, bits, meaning));
            next += bits;
            return this;
        }

        Builder reserved(int bits) {
            return field("", bits);
        }

        /// Builds the layout.
        ///
        /// @throws IllegalStateException if the fields have another total length, because the table is wrong
        BitLayout of(int bytes) {
            if (next != bytes * Byte.SIZE) {
                throw new IllegalStateException("fields of " + next + " bits do not fill bytes=" + bytes);
            }
            return new BitLayout(fields, bytes);
        }
    }
}
