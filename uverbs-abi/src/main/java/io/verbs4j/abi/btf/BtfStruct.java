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

/// A struct or union as the kernel was compiled with it.
///
/// @param name its name in C
/// @param size `sizeof`
/// @param fields all fields, those of nested structs and unions too
public record BtfStruct(String name, long size, List<Field> fields) {
    /// A field.
    ///
    /// @param path its C name, with those of the enclosing members in front, as in `wr.rdma.rkey`; members without a name
    ///     add nothing, as in C
    /// @param offset bytes from the struct's start
    /// @param size bytes; 0 of an array without a length
    public record Field(String path, long offset, long size) {}

    /// Copies the list.
    public BtfStruct {
        fields = List.copyOf(fields);
    }

    /// Compares a layout, whose members have the C names, with the kernel's.
    ///
    /// @return a sentence for each difference: another size, a field that the kernel does not have, or that lies elsewhere
    ///     there. Fields that only the kernel has are no difference, as long as the size is the same.
    public List<String> differences(GroupLayout layout) {
        var differences = new ArrayList<String>();
        if (layout.byteSize() != size) {
            differences.add(name + " has " + layout.byteSize() + " bytes here and " + size + " in the kernel");
        }
        var kernel = new HashMap<String, Field>();
        for (Field field : fields) {
            kernel.put(field.path(), field);
        }
        compare("", 0, layout, kernel, differences);
        return differences;
    }

    private void compare(
            String prefix, long start, GroupLayout group, Map<String, Field> kernel, List<String> differences) {
        long offset = start;
        for (MemoryLayout member : group.memberLayouts()) {
            String path = prefix + member.name().orElse("");
            if (member.name().isPresent() && !(member instanceof PaddingLayout)) {
                Field theirs = kernel.get(path);
                if (theirs == null) {
                    differences.add(name + "." + path + " is not in the kernel");
                } else if (theirs.offset() != offset || theirs.size() != member.byteSize()) {
                    differences.add(name + "." + path + " is at " + offset + " with " + member.byteSize()
                            + " bytes here, and at " + theirs.offset() + " with " + theirs.size() + " in the kernel");
                }
            }
            if (member instanceof GroupLayout inner) {
                compare(member.name().isPresent() ? path + "." : prefix, offset, inner, kernel, differences);
            }
            if (group instanceof StructLayout) {
                offset += member.byteSize();
            }
        }
    }
}
