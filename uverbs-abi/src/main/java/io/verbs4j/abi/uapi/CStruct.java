// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Describes a C struct between user space and kernel: its name, its header, and one [StructLayout] with C member
/// names. Size, offsets, and field accesses are derived from that layout.
///
/// Fields are found by name at run time. That costs a hash lookup, which is cheap compared with a system call. It saves
/// one `VarHandle` per field, whose creation would dominate the start-up of a small program. Structs of the data path
/// (rings) are described in the same way, but accessed by handles that are derived from [#layout()].
///
/// A field of a nested or unnamed struct is identified by its path, such as `odp_caps.general_caps`. As in C, members
/// of an unnamed struct or union have no path component for it.
public final class CStruct {
    private final String name;
    private final String header;
    private final StructLayout layout;
    private final List<Member> members;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    /// One field of the struct.
    ///
    /// @param path the field's C name, prefixed by those of the enclosing members
    /// @param offset bytes from the struct's start
    /// @param layout a number, an array, or a nested struct or union
    /// @param meaning description; empty if the name suffices
    /// @param width bytes of a number: 1, 2, 4 or 8; 0 if the field is not a number
    /// @param swapped whether the number's byte order differs from the machine's
    public record Field(
            String path, long offset, MemoryLayout layout, String meaning, int width, boolean swapped) {
        private static Field of(String path, long offset, Member member) {
            return member.layout() instanceof ValueLayout number
                    ? new Field(path, offset, number, member.meaning(), (int) number.byteSize(),
                            number.order() != ByteOrder.nativeOrder())
                    : new Field(path, offset, member.layout(), member.meaning(), 0, false);
        }

        /// Returns whether the field is a number of 1, 2, 4 or 8 bytes.
        public boolean isNumber() {
            return width > 0;
        }
    }

    /// A member as declared: its layout has a name only, the member also has a meaning.
    ///
    /// @param layout its layout; without a name for holes and for unnamed structs and unions
    /// @param meaning description for readers; empty if the name suffices
    /// @param members members of a nested struct or union, in order
    public record Member(MemoryLayout layout, String meaning, List<Member> members) {
        /// Copies the list.
        public Member {
            members = List.copyOf(members);
        }

        private static Member number(String name, ValueLayout layout, String meaning) {
            return new Member(layout.withName(name), meaning, List.of());
        }

        /// Returns its C name; empty if it has none.
        public String name() {
            return layout.name().orElse("");
        }

        /// Returns the same member with a meaning.
        public Member means(String text) {
            return new Member(layout, text, members);
        }
    }

    private CStruct(String header, String name, List<Member> members) {
        this.header = header;
        this.name = name;
        this.members = List.copyOf(members);
        this.layout = MemoryLayout.structLayout(layouts(members)).withName(name);
        if (layout.byteSize() % layout.byteAlignment() != 0) {
            throw new IllegalArgumentException("the hole at the end is not declared: struct=" + name);
        }
        collect("", 0, members, true);
    }

    private static MemoryLayout[] layouts(List<Member> members) {
        return members.stream().map(Member::layout).toArray(MemoryLayout[]::new);
    }

    /// Describes a struct. Holes that a C compiler would leave must be declared with [#hole(int)]. A member is rejected
    /// if its type does not allow its offset.
    ///
    /// @param header path of the header in the kernel's sources
    /// @param name the struct's name in C
    /// @param members its members in order
    public static CStruct of(String header, String name, Member... members) {
        return new CStruct(header, name, List.of(members));
    }

    /// `__u8`.
    public static Member u8(String name) {
        return u8(name, "");
    }

    /// `__u8`, with a description.
    public static Member u8(String name, String meaning) {
        return Member.number(name, ValueLayout.JAVA_BYTE, meaning);
    }

    /// `__u16`.
    public static Member u16(String name) {
        return u16(name, "");
    }

    /// `__u16`, with a description.
    public static Member u16(String name, String meaning) {
        return Member.number(name, ValueLayout.JAVA_SHORT, meaning);
    }

    /// `__u32` or `__s32`; the reader interprets the sign.
    public static Member u32(String name) {
        return u32(name, "");
    }

    /// `__u32` or `__s32`, with a description.
    public static Member u32(String name, String meaning) {
        return Member.number(name, ValueLayout.JAVA_INT, meaning);
    }

    /// `__aligned_u64` or `__s64`.
    public static Member u64(String name) {
        return u64(name, "");
    }

    /// `__aligned_u64` or `__s64`, with a description.
    public static Member u64(String name, String meaning) {
        return Member.number(name, ValueLayout.JAVA_LONG, meaning);
    }

    /// `__be16`: a number in network order, with a description.
    public static Member be16(String name, String meaning) {
        return Member.number(name, ValueLayout.JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN), meaning);
    }

    /// `__be32`: a number in network order, with a description.
    public static Member be32(String name, String meaning) {
        return Member.number(name, ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), meaning);
    }

    /// `__be64`: a number in network order, with a description.
    public static Member be64(String name, String meaning) {
        return Member.number(name, ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN), meaning);
    }

    /// `__u8 name[count]`.
    public static Member bytes(String name, int count) {
        return bytes(name, count, "");
    }

    /// `__u8 name[count]`, with a description.
    public static Member bytes(String name, int count, String meaning) {
        return array(name, count, ValueLayout.JAVA_BYTE).means(meaning);
    }

    /// Declares an array of any type.
    ///
    /// @param count number of elements; 0 for an array after the struct
    public static Member array(String name, int count, MemoryLayout element) {
        return new Member(MemoryLayout.sequenceLayout(count, element).withName(name), "", List.of());
    }

    /// Declares a member that is another described struct.
    public static Member struct(String name, CStruct type) {
        return struct(name, type, "");
    }

    /// Declares a member that is another described struct, with a description.
    public static Member struct(String name, CStruct type, String meaning) {
        return new Member(type.layout.withName(name), meaning, type.members);
    }

    /// Declares a struct within another.
    public static Member struct(String name, Member... members) {
        return new Member(MemoryLayout.structLayout(layouts(List.of(members))).withName(name), "", List.of(members));
    }

    /// Declares a union within a struct.
    public static Member union(String name, Member... members) {
        return new Member(MemoryLayout.unionLayout(layouts(List.of(members))).withName(name), "", List.of(members));
    }

    /// Declares a union without a name.
    public static Member union(Member... members) {
        return new Member(MemoryLayout.unionLayout(layouts(List.of(members))), "", List.of(members));
    }

    /// Declares a hole that the compiler leaves for alignment.
    public static Member hole(int bytes) {
        return new Member(MemoryLayout.paddingLayout(bytes), "", List.of());
    }

    private void collect(String prefix, long start, List<Member> group, boolean inSequence) {
        long offset = start;
        for (Member member : group) {
            // Interned, like the literals by which callers find it: both are then the same object, and need no
            // comparison.
            String path = prefix.concat(member.name()).intern();
            boolean named = !member.name().isEmpty();
            if (named) {
                fields.put(path, Field.of(path, offset, member));
            }
            if (!member.members().isEmpty()) {
                collect(named ? path.concat(".") : prefix, offset, member.members(),
                        member.layout() instanceof StructLayout);
            }
            if (inSequence) {
                offset += member.layout().byteSize();
            }
        }
    }

    /// Returns the struct's name in C, without `struct`.
    public String name() {
        return name;
    }

    /// Returns the path of the declaring header in the kernel's sources.
    public String header() {
        return header;
    }

    /// Returns the layout; its members have the C names.
    public StructLayout layout() {
        return layout;
    }

    /// Returns the members as declared.
    public List<Member> members() {
        return members;
    }

    /// Returns `sizeof`.
    public int size() {
        return (int) layout.byteSize();
    }

    /// Returns all fields in order of their declaration, a nested struct before its own fields.
    public Collection<Field> fields() {
        return Collections.unmodifiableCollection(fields.values());
    }

    /// Returns one field.
    ///
    /// @throws IllegalArgumentException if the struct has no such field
    public Field field(String path) {
        Field field = fields.get(path);
        if (field == null) {
            throw new IllegalArgumentException("struct " + name + " has no field " + path);
        }
        return field;
    }

    /// Returns `offsetof`.
    ///
    /// @throws IllegalArgumentException if the field does not exist
    public long offset(String path) {
        return field(path).offset();
    }

    /// Allocates zeroed memory for one struct.
    public MemorySegment allocate(Arena arena) {
        return arena.allocate(layout);
    }

    /// Returns a view of the struct in memory.
    ///
    /// @param memory starts with the struct; may be longer
    public CView view(MemorySegment memory) {
        return new CView(this, memory);
    }

    /// Zeroes all bytes of the struct in memory, including reserved ones and holes, and returns a view of it. The
    /// kernel refuses requests that contain other values there.
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
