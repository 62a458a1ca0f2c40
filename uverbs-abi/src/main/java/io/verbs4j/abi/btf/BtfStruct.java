// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.btf;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A struct or union of the compiled kernel.
///
/// @param name its name in C
/// @param size `sizeof`
/// @param fields all fields, including those of nested structs and unions
public record BtfStruct(String name, long size, List<Field> fields) {
    /// A field.
    ///
    /// @param path its C name, prefixed by those of the enclosing members, as in `wr.rdma.rkey`; members without a name
    ///     add nothing, as in C
    /// @param offset bytes from the struct's start
    /// @param size bytes; 0 for an array without a length
    public record Field(String path, long offset, long size) {}

    /// Copies the list.
    public BtfStruct {
        fields = List.copyOf(fields);
    }

    /// Compares a layout with C member names with the kernel's.
    ///
    /// @return a sentence for each difference: another size, or a field with another offset. If the sizes are equal, a
    ///     missing field is not a difference, because headers grow by using reserved bytes. See
    ///     [#unknown(GroupLayout)].
    public List<String> differences(GroupLayout layout) {
        var differences = new ArrayList<String>();
        if (layout.byteSize() != size) {
            differences.add(name + " has " + layout.byteSize() + " bytes here and " + size + " in the kernel");
        }
        Map<String, Field> kernel = byPath();
        for (Field ours : fieldsOf(layout)) {
            Field theirs = kernel.get(ours.path());
            if (theirs != null && !isSame(ours, theirs)) {
                differences.add(name + "." + ours.path() + " is at " + ours.offset() + " with " + ours.size()
                        + " bytes here, and at " + theirs.offset() + " with " + theirs.size() + " in the kernel");
            }
        }
        return differences;
    }

    /// Returns the fields of a layout that the kernel does not have, by their paths. Such a kernel is older than the
    /// headers of the layout.
    public List<String> unknown(GroupLayout layout) {
        Map<String, Field> kernel = byPath();
        var unknown = new ArrayList<String>();
        for (Field ours : fieldsOf(layout)) {
            if (!kernel.containsKey(ours.path())) {
                unknown.add(ours.path());
            }
        }
        return unknown;
    }

    /// Returns whether two fields are equal. A newer header may have used some reserved bytes at the end.
    private static boolean isSame(Field ours, Field theirs) {
        boolean reserved = ours.path().substring(ours.path().lastIndexOf('.') + 1).startsWith("reserved");
        return theirs.offset() == ours.offset() && (theirs.size() == ours.size() || reserved);
    }

    private Map<String, Field> byPath() {
        var byPath = new HashMap<String, Field>();
        for (Field field : fields) {
            byPath.put(field.path(), field);
        }
        return byPath;
    }

    private static List<Field> fieldsOf(GroupLayout layout) {
        var fields = new ArrayList<Field>();
        collect("", 0, layout, fields);
        return fields;
    }

    private static void collect(String prefix, long start, GroupLayout group, List<Field> fields) {
        long offset = start;
        for (MemoryLayout member : group.memberLayouts()) {
            String path = prefix + member.name().orElse("");
            if (member.name().isPresent() && !(member instanceof PaddingLayout)) {
                fields.add(new Field(path, offset, member.byteSize()));
            }
            if (member instanceof GroupLayout inner) {
                collect(member.name().isPresent() ? path + "." : prefix, offset, inner, fields);
            }
            if (group instanceof StructLayout) {
                offset += member.byteSize();
            }
        }
    }
}
