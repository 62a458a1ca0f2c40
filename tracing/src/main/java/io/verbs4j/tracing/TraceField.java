// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

/// One field of a traced struct.
///
/// @param path its C name, with those of the enclosing members in front
/// @param offset bytes from the start of the part
/// @param size bytes
/// @param value the number, unsigned unless it has 64 bits; 0 of a field that is none
/// @param text the value for readers: the number, or what it stands for, such as `qp#17` or `RTS`
/// @param meaning what the field holds; empty if its name says all
/// @param padding whether the bytes mean nothing: reserved, a hole, or left over
public record TraceField(
        String path, int offset, int size, long value, String text, String meaning, boolean padding) {
    /// The same field by another path.
    TraceField renamed(String other) {
        return new TraceField(other, offset, size, value, text, meaning, padding);
    }

    /// The same field with another text.
    TraceField shown(String other) {
        return new TraceField(path, offset, size, value, other, meaning, padding);
    }

    /// The last word of the path: the field's own name.
    public String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
