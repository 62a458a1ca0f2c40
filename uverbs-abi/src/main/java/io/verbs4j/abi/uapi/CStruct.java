// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.lang.foreign.Arena;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Description of a C struct that user space and kernel exchange: its name, the header that declares it, and one
/// [StructLayout] whose members have the C names. Everything else is derived from that layout: size, offsets, and how a
/// field is read and written.
///
/// Fields are found by name at run time. That costs a hash lookup, which a system call dwarfs, and spares one `VarHandle` a
/// field, whose creation would dominate the start-up of a small program. Structs of the data path (rings) are not described
/// this way.
///
/// A field of a nested or unnamed struct is called by its path, such as `odp_caps.general_caps`; members of an unnamed
/// struct or union have no path of their own, as in C.
public final class CStruct {
    private final String name;
    private final String header;
    private final StructLayout layout;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    /// One field of the struct.
    ///
    /// @param path the field's C name, with those of the enclosing members in front
    /// @param offset bytes from the struct's start
    /// @param layout a number, an array of bytes, or a nested struct or union
    public record Field(String path, long offset, MemoryLayout layout) {
        /// Whether the field is a number of 1, 2, 4 or 8 bytes.
        public boolean isNumber() {
            return layout instanceof ValueLayout;
        }
    }

    private CStruct(String header, String name, StructLayout layout) {
        this.header = header;
        this.name = name;
        this.layout = layout;
        if (layout.byteSize() % layout.byteAlignment() != 0) {
            throw new IllegalArgumentException("the hole at the end is not spelled out: struct=" + name);
        }
        collect("", 0, layout);
    }

    /// Describes a struct. Holes that a C compiler would leave must be spelled out with [#hole(int)]; a member at an
    /// offset that its type does not allow is refused.
    ///
    /// @param header path of the header in the kernel's sources
    /// @param name the struct's name in C
    /// @param members its members in order
    static CStruct of(String header, String name, MemoryLayout... members) {
        return new CStruct(header, name, MemoryLayout.structLayout(members).withName(name));
    }

    /// `__u8`.
    static ValueLayout u8(String name) {
        return ValueLayout.JAVA_BYTE.withName(name);
    }

    /// `__u16`.
    static ValueLayout u16(String name) {
        return ValueLayout.JAVA_SHORT.withName(name);
    }

    /// `__u32`, and `__s32`: which of the two is the reader's business.
    static ValueLayout u32(String name) {
        return ValueLayout.JAVA_INT.withName(name);
    }

    /// `__aligned_u64`, and `__s64`.
    static ValueLayout u64(String name) {
        return ValueLayout.JAVA_LONG.withName(name);
    }

    /// `__be64`: a number in network order.
    static ValueLayout be64(String name) {
        return ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).withName(name);
    }

    /// `__u8 name[count]`.
    static SequenceLayout bytes(String name, int count) {
        return MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_BYTE).withName(name);
    }

    /// A member that is another described struct.
    static StructLayout struct(String name, CStruct type) {
        return type.layout.withName(name);
    }

    /// A hole that the compiler leaves for alignment.
    static PaddingLayout hole(int bytes) {
        return MemoryLayout.paddingLayout(bytes);
    }

    private void collect(String prefix, long start, GroupLayout group) {
        long offset = start;
        for (MemoryLayout member : group.memberLayouts()) {
            String path = prefix.concat(member.name().orElse(""));
            if (member.name().isPresent()) {
                fields.put(path, new Field(path, offset, member));
            }
            if (member instanceof GroupLayout inner) {
                collect(member.name().isPresent() ? path.concat(".") : prefix, offset, inner);
            }
            if (group instanceof StructLayout) {
                offset += member.byteSize();
            }
        }
    }

    /// The struct's name in C, without `struct`.
    public String name() {
        return name;
    }

    /// Path of the declaring header in the kernel's sources.
    public String header() {
        return header;
    }

    /// The layout; its members have the C names.
    public StructLayout layout() {
        return layout;
    }

    /// `sizeof`.
    public int size() {
        return (int) layout.byteSize();
    }

    /// All fields in order of their declaration, a nested struct before its own fields.
    public Collection<Field> fields() {
        return Collections.unmodifiableCollection(fields.values());
    }

    /// One field.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    public Field field(String path) {
        Field field = fields.get(path);
        if (field == null) {
            throw new IllegalArgumentException("struct " + name + " has no field " + path);
        }
        return field;
    }

    /// `offsetof`.
    ///
    /// @throws IllegalArgumentException if there is no such field
    public long offset(String path) {
        return field(path).offset();
    }

    /// Memory for one struct, all zero.
    public MemorySegment allocate(Arena arena) {
        return arena.allocate(layout);
    }

    /// The struct in memory.
    ///
    /// @param memory starts with the struct; may be longer
    public CView view(MemorySegment memory) {
        return new CView(this, memory);
    }

    /// The struct in memory after all its bytes were set to zero, reserved ones and holes too: the kernel refuses requests
    /// that carry anything in them.
    ///
    /// @param memory starts with the struct; may be longer
    public CView zeroed(MemorySegment memory) {
        memory.asSlice(0, layout.byteSize()).fill((byte) 0);
        return new CView(this, memory);
    }

    @Override
    public String toString() {
        return "struct " + name;
    }
}
