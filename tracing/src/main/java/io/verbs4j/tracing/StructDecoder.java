// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Decodes bytes by the description of a struct, so that each byte belongs to one field. Only one arm of a union is
/// valid. Bytes beyond that arm are padding.
final class StructDecoder {
    private final CStruct struct;
    private final byte[] bytes;
    private final int start;
    private final FieldText text;
    private final Map<String, String> arms;
    private final List<TraceField> fields = new ArrayList<>();

    private StructDecoder(CStruct struct, byte[] bytes, int start, FieldText text, Map<String, String> arms) {
        this.struct = struct;
        this.bytes = bytes;
        this.start = start;
        this.text = text;
        this.arms = arms;
    }

    /// Decodes a struct.
    ///
    /// @param start its offset in `bytes`; fields beyond the end are omitted, because older kernels return shorter
    ///     structs
    /// @param arms the valid arm of each union, by path; the first one by default
    static List<TraceField> decode(
            CStruct struct, byte[] bytes, int start, FieldText text, Map<String, String> arms) {
        var decoder = new StructDecoder(struct, bytes, start, text, arms);
        decoder.group("", start, struct.members());
        return decoder.fields;
    }

    private void group(String prefix, int from, List<CStruct.Member> members) {
        int offset = from;
        for (CStruct.Member member : members) {
            member(prefix, offset, member);
            offset += (int) member.layout().byteSize();
        }
    }

    private void member(String prefix, int offset, CStruct.Member member) {
        MemoryLayout layout = member.layout();
        String path = prefix + member.name();
        int size = (int) layout.byteSize();
        if (size == 0 || offset + size > bytes.length) {
            return;
        }
        if (layout instanceof PaddingLayout) {
            add(path + "(hole)", offset, size, 0, zeros(offset, size), "left by the compiler", true);
        } else if (layout instanceof UnionLayout) {
            union(path, member.name().isEmpty() ? prefix : path + ".", offset, member);
        } else if (!member.members().isEmpty()) {
            group(member.name().isEmpty() ? prefix : path + ".", offset, member.members());
        } else if (layout instanceof ValueLayout number) {
            long value = number(bytes, offset, size, number.order() == ByteOrder.BIG_ENDIAN);
            boolean padding = isPadding(member.name());
            add(
                    path,
                    offset,
                    size,
                    value,
                    padding ? zeros(offset, size) : text.number(struct, path, value, size),
                    member.meaning(),
                    padding);
        } else {
            boolean padding = isPadding(member.name());
            add(
                    path,
                    offset,
                    size,
                    0,
                    padding ? zeros(offset, size) : FieldText.array(member.name(), bytes, offset, size),
                    member.meaning(),
                    padding);
        }
    }

    private void union(String path, String inner, int offset, CStruct.Member union) {
        String wanted = arms.get(path);
        CStruct.Member arm = union.members()
                .stream()
                .filter(member -> member.name().equals(wanted))
                .findFirst()
                .orElse(union.members().getFirst());
        member(inner, offset, arm);
        int size = (int) arm.layout().byteSize();
        int rest = (int) union.layout().byteSize() - size;
        if (rest > 0 && offset + size + rest <= bytes.length) {
            add(
                    path + "(rest)",
                    offset + size,
                    rest,
                    0,
                    zeros(offset + size, rest),
                    "of the union, used by other arms",
                    true);
        }
    }

    private void add(
            String path, int offset, int size, long value, String shown, String meaning, boolean padding) {
        fields.add(new TraceField(path, offset, size, value, shown, meaning, padding));
    }

    private static boolean isPadding(String name) {
        return name.startsWith("reserved") || name.startsWith("pad") || name.equals("cmd_hdr_reserved");
    }

    private String zeros(int offset, int size) {
        for (int i = offset; i < offset + size; i++) {
            if (bytes[i] != 0) {
                return "not zero";
            }
        }
        return "0";
    }

    /// Returns a number in memory, unsigned unless it has 64 bits.
    static long number(byte[] bytes, int offset, int size, boolean bigEndian) {
        long value = 0;
        for (int i = 0; i < size; i++) {
            int at = bigEndian ? offset + i : offset + size - 1 - i;
            value = (value << Byte.SIZE) | (bytes[at] & 0xff);
        }
        return value;
    }

    @Override
    public String toString() {
        return struct + " at " + start;
    }
}
