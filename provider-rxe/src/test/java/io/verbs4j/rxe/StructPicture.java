// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.UnionLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/// A struct as rows of 8 bytes, drawn from its layout.
public final class StructPicture {
    /// Colour of the bytes that one post writes, in contrast to those that it does not change.
    public static final String WRITTEN = "#cfe8cf";

    public static final String LEFT = "#eeeeee";

    private static final int BYTE = 84;
    private static final int ROW = 26;
    private static final int LEFT_MARGIN = 46;
    private static final int TOP = 52;

    private record Field(String name, long offset, long bytes) {}

    private StructPicture() {}

    /// Draws the picture.
    ///
    /// @param arms selected members of unions with several
    /// @param written selects the coloured bytes
    public static String draw(String title, List<MemoryLayout> structs, List<String> arms, LongPredicate written) {
        var fields = new ArrayList<Field>();
        long end = 0;
        for (MemoryLayout struct : structs) {
            collect(end, struct, arms, fields);
            end += struct.byteSize();
        }
        List<Long> rows = rows(fields, end);
        var svg = new Svg(LEFT_MARGIN + 8 * BYTE + 20, TOP + rows.size() * ROW + 16);
        svg.text(LEFT_MARGIN, 18, title);
        for (int i = 0; i < 8; i++) {
            svg.centred(LEFT_MARGIN + i * BYTE + BYTE / 2, TOP - 8, "+" + i);
        }
        for (int row = 0; row < rows.size(); row++) {
            int y = TOP + row * ROW;
            svg.faint(LEFT_MARGIN - 6, y + 17, Long.toString(rows.get(row)));
            for (Field field : fields) {
                long from = Math.max(field.offset, rows.get(row));
                long to = Math.min(field.offset + field.bytes, rows.get(row) + 8);
                if (from < to) {
                    int x = LEFT_MARGIN + (int) (from % 8) * BYTE;
                    int width = (int) (to - from) * BYTE;
                    svg.box(x, y, width, ROW, written.test(from) ? WRITTEN : LEFT);
                    boolean folded = row > 0 && rows.get(row) - rows.get(row - 1) > 8;
                    svg.centred(x + width / 2, y + 17, from == field.offset ? field.name : folded ? "⋮" : "");
                }
            }
        }
        return svg.toString();
    }

    /// Returns the offsets of the rows; for a field of many rows, only the first and the last.
    private static List<Long> rows(List<Field> fields, long end) {
        var rows = new ArrayList<Long>();
        for (long row = 0; row < end; row += 8) {
            long at = row;
            if (fields.stream().noneMatch(field -> field.offset <= at - 8 && at + 16 <= field.offset + field.bytes)) {
                rows.add(row);
            }
        }
        return rows;
    }

    private static void collect(long offset, MemoryLayout layout, List<String> arms, List<Field> fields) {
        if (layout instanceof UnionLayout union) {
            MemoryLayout arm = union.memberLayouts()
                    .stream()
                    .filter(member -> arms.contains(member.name().orElse("")))
                    .findFirst()
                    .orElse(union.memberLayouts().getFirst());
            collect(offset, arm, arms, fields);
            if (arm.byteSize() < union.byteSize()) {
                fields.add(new Field("(other arms)", offset + arm.byteSize(), union.byteSize() - arm.byteSize()));
            }
        } else if (layout instanceof GroupLayout group) {
            long at = offset;
            for (MemoryLayout member : group.memberLayouts()) {
                collect(at, member, arms, fields);
                at += member.byteSize();
            }
        } else if (layout.byteSize() > 0) {
            fields.add(new Field(layout.name().orElse(""), offset, layout.byteSize()));
        }
    }
}
