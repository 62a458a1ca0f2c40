// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.uapi.CStruct;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Describes a part of memory piece by piece, from the first byte on.
final class PartBuilder {
    private final String title;
    private final TracePart.Direction direction;
    private final long address;
    private final byte[] bytes;
    private final FieldText text;
    private final List<TraceField> fields = new ArrayList<>();
    private String struct = "";
    private int position;

    PartBuilder(String title, TracePart.Direction direction, long address, byte[] bytes, FieldText text) {
        this.title = title;
        this.direction = direction;
        this.address = address;
        this.bytes = bytes;
        this.text = direction == TracePart.Direction.FROM_KERNEL ? text.ofAnswers() : text;
    }

    /// Appends a struct, or its beginning if there are fewer bytes.
    ///
    /// @param arms the valid arm of each union, by path; the first one by default
    PartBuilder struct(CStruct type, Map<String, String> arms) {
        struct = struct.isEmpty() ? type.name() : struct;
        fields.addAll(StructDecoder.decode(type, bytes, position, text, arms));
        position = Math.min(position + type.size(), bytes.length);
        return this;
    }

    /// Appends structs of one kind, named by their index.
    ///
    /// @param name their name; may be empty
    PartBuilder array(String name, CStruct type, int count) {
        struct = struct.isEmpty() ? type.name() : struct;
        for (int i = 0; i < count && position + type.size() <= bytes.length; i++) {
            for (TraceField field : StructDecoder.decode(type, bytes, position, text, Map.of())) {
                fields.add(field.renamed(name + "[" + i + "]." + field.path()));
            }
            position += type.size();
        }
        return this;
    }

    /// Appends a number.
    PartBuilder number(String name, String shown, int size) {
        long value = StructDecoder.number(bytes, position, size, false);
        fields.add(new TraceField(name, position, size, value, shown, "", false));
        position += size;
        return this;
    }

    /// Appends bytes without further structure.
    PartBuilder data(String name, int size, String meaning) {
        int there = Math.min(size, bytes.length - position);
        if (there > 0) {
            String shown = FieldText.array("", bytes, position, there);
            fields.add(new TraceField(name, position, there, 0, shown, meaning, false));
            position += there;
        }
        return this;
    }

    /// Marks the rest as unused.
    PartBuilder room(String meaning) {
        return rest("(room)", meaning, true);
    }

    private PartBuilder rest(String name, String meaning, boolean padding) {
        int size = bytes.length - position;
        if (size > 0) {
            String shown = padding ? "not used" : FieldText.array("", bytes, position, size);
            fields.add(new TraceField(name, position, size, 0, shown, meaning, padding));
            position = bytes.length;
        }
        return this;
    }

    /// Returns the part. Undescribed bytes are shown as unknown.
    TracePart build() {
        rest(TracePart.UNKNOWN, "", false);
        return new TracePart(title, struct, direction, address, bytes, fields);
    }
}
