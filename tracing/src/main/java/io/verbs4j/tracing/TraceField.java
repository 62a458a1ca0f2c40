// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

/// One field of a traced struct.
///
/// @param path the field's C name, preceded by the names of the enclosing members
/// @param offset bytes from the start of the part
/// @param size bytes
/// @param value the number, unsigned unless it has 64 bits; 0 if the field is not a number
/// @param text the value in plain words: the number or its name, such as `qp#17` or `RTS`
/// @param meaning description; empty if the name suffices
/// @param padding whether the bytes are unused: reserved, a hole, or left from an earlier use of the memory
public record TraceField(
        String path, int offset, int size, long value, String text, String meaning, boolean padding) {
    /// Returns the same field with another path.
    TraceField renamed(String other) {
        return new TraceField(other, offset, size, value, text, meaning, padding);
    }

    /// Returns the same field with another text.
    TraceField shown(String other) {
        return new TraceField(path, offset, size, value, other, meaning, padding);
    }

    /// Returns the last part of the path: the field's own name.
    public String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
