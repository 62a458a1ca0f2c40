// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.btf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Type information in the BPF Type Format (Documentation/bpf/btf.rst, include/uapi/linux/btf.h), as the kernel exports
/// it in `/sys/kernel/btf`.
///
/// It consists of a list of types that refer to each other by number, and of a table of names. A module's list
/// continues that of the kernel image (`vmlinux`), in both numbering and names, so it can be read only together with
/// it.
public final class Btf {
    private static final Path KERNEL = Path.of("/sys/kernel/btf");

    private static final int MAGIC = 0xeb9f;

    // Kinds of types (BTF_KIND_*).
    private static final int INT = 1;
    private static final int PTR = 2;
    private static final int ARRAY = 3;
    private static final int STRUCT = 4;
    private static final int UNION = 5;
    private static final int ENUM = 6;
    private static final int FWD = 7;
    private static final int TYPEDEF = 8;
    private static final int VOLATILE = 9;
    private static final int CONST = 10;
    private static final int RESTRICT = 11;
    private static final int FUNC = 12;
    private static final int FUNC_PROTO = 13;
    private static final int VAR = 14;
    private static final int DATASEC = 15;
    private static final int FLOAT = 16;
    private static final int DECL_TAG = 17;
    private static final int TYPE_TAG = 18;
    private static final int ENUM64 = 19;

    /// `struct btf_type`: name, info, size or type.
    private static final int TYPE_BYTES = 12;

    /// `struct btf_member`: name, type, offset.
    private static final int MEMBER_BYTES = 12;

    /// Deeper than any type of a kernel.
    static final int MAX_DEPTH = 100;

    static final int MAX_MEMBERS = 1 << 16;

    /// The members of a struct, including nested ones.
    private static final class Fields {
        final List<BtfStruct.Field> found = new ArrayList<>();
        int looks;
    }

    private final @Nullable Btf base;
    private final ByteBuffer types;
    private final ByteBuffer strings;
    /// Offset of each type, by its number less [#firstId].
    private final int[] starts;
    private final int firstId;
    private final int firstString;
    /// Offsets of structs and unions by name, the last one of equal names. Built at the first query, because a kernel
    /// has about ten thousand.
    private volatile @Nullable Map<String, Integer> structs;

    private Btf(@Nullable Btf base, ByteBuffer data) {
        ByteBuffer all = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (all.remaining() < 24 || Short.toUnsignedInt(all.getShort(0)) != MAGIC) {
            throw new IllegalArgumentException("not type information in little-endian BTF");
        }
        this.base = base;
        this.types = section(all, 8).order(ByteOrder.LITTLE_ENDIAN);
        this.strings = section(all, 16);
        if (strings.limit() > 0 && strings.get(strings.limit() - 1) != 0) {
            throw damaged("the names do not end");
        }
        // Number 0 is `void`, which is not in the list.
        this.firstId = base == null ? 1 : base.firstId + base.starts.length;
        this.firstString = base == null ? 0 : base.firstString + base.strings.limit();
        this.starts = starts(types);
    }

    /// Returns one of the two parts. Its offset after the header and its length are at `place`.
    private static ByteBuffer section(ByteBuffer all, int place) {
        long start = Integer.toUnsignedLong(all.getInt(4)) + Integer.toUnsignedLong(all.getInt(place));
        long length = Integer.toUnsignedLong(all.getInt(place + 4));
        if (start + length > all.limit()) {
            throw damaged("a part of " + length + " bytes at " + start + " exceeds the " + all.limit() + " bytes");
        }
        return all.slice((int) start, (int) length);
    }

    private static IllegalArgumentException damaged(String how) {
        return new IllegalArgumentException("damaged type information: " + how);
    }

    /// Parses the type information of a kernel image.
    ///
    /// @throws IllegalArgumentException if the bytes are not BTF, damaged, or of an unknown kind
    public static Btf of(ByteBuffer vmlinux) {
        return new Btf(null, vmlinux);
    }

    /// Reads the type information of the running kernel and of one of its modules, such as `rdma_rxe`.
    ///
    /// @throws IOException if the module is not loaded, or this kernel exports no information about it
    public static Btf ofRunningKernel(String module) throws IOException {
        return of(KERNEL, module);
    }

    /// Reads the type information of a module and of its kernel, from a copy of `/sys/kernel/btf`.
    ///
    /// @throws IOException if the folder contains no `vmlinux`, or no file with the module's name
    public static Btf of(Path folder, String module) throws IOException {
        return ofKernel(folder).with(folder.resolve(module));
    }

    private static Btf of(Path vmlinux) throws IOException {
        return of(ByteBuffer.wrap(Files.readAllBytes(vmlinux)));
    }

    /// Reads the type information of a kernel image, from a copy of `/sys/kernel/btf`: the base of all its modules.
    ///
    /// @throws IOException if the folder contains no `vmlinux`
    public static Btf ofKernel(Path folder) throws IOException {
        return of(folder.resolve("vmlinux"));
    }

    /// Returns this type information, continued by that of a module in a file.
    ///
    /// @throws IOException if the file does not exist
    public Btf with(Path module) throws IOException {
        return with(ByteBuffer.wrap(Files.readAllBytes(module)));
    }

    /// Returns this type information, continued by that of a module.
    ///
    /// @throws IllegalArgumentException if the bytes are not type information
    public Btf with(ByteBuffer module) {
        return new Btf(this, module);
    }

    private static int[] starts(ByteBuffer types) {
        int[] starts = new int[1024];
        int count = 0;
        int position = 0;
        while (position < types.limit()) {
            if (count == starts.length) {
                starts = Arrays.copyOf(starts, 2 * count);
            }
            starts[count++] = position;
            int left = types.limit() - position;
            int needed = left < TYPE_BYTES ? TYPE_BYTES : TYPE_BYTES + extra(types.getInt(position + 4));
            if (left < needed) {
                throw damaged("a type of " + needed + " bytes is truncated after " + left);
            }
            position += needed;
        }
        return Arrays.copyOf(starts, count);
    }

    /// Returns the number of bytes that follow a type with this info word.
    private static int extra(int info) {
        int count = count(info);
        return switch (kind(info)) {
            case INT, VAR, DECL_TAG -> 4;
            case ARRAY -> 12;
            case STRUCT, UNION, DATASEC, ENUM64 -> MEMBER_BYTES * count;
            case ENUM, FUNC_PROTO -> 8 * count;
            case PTR, FWD, TYPEDEF, VOLATILE, CONST, RESTRICT, FUNC, FLOAT, TYPE_TAG -> 0;
            default -> throw new IllegalArgumentException("unknown kind of type: kind=" + kind(info));
        };
    }

    private static int kind(int info) {
        return info >>> 24 & 0x1f;
    }

    private static int count(int info) {
        return info & 0xffff;
    }

    /// Returns the struct or union with a name. If several have the same name, as may happen between parts of a kernel,
    /// returns the last one, which is the module's own.
    ///
    /// @throws IllegalArgumentException if it, one of its types or any struct's name is damaged
    public Optional<BtfStruct> struct(String name) {
        Map<String, Integer> known = structs;
        if (known == null) {
            known = structs();
            structs = known;
        }
        Integer start = known.get(name);
        if (start == null) {
            return base == null ? Optional.empty() : base.struct(name);
        }
        var fields = new Fields();
        collect("", 0, start, fields, 0);
        return Optional.of(new BtfStruct(name, Integer.toUnsignedLong(types.getInt(start + 8)), fields.found));
    }

    private Map<String, Integer> structs() {
        var found = new HashMap<String, Integer>();
        for (int start : starts) {
            int kind = kind(types.getInt(start + 4));
            if (kind == STRUCT || kind == UNION) {
                found.put(text(types.getInt(start)), start);
            }
        }
        return found;
    }

    /// Collects the members of the struct at `start`, including nested ones.
    private void collect(String prefix, long offset, int start, Fields fields, int depth) {
        int info = types.getInt(start + 4);
        // Bit 31: the offset's upper 8 bits are the width of a bit field.
        int offsetMask = info < 0 ? 0xffffff : -1;
        for (int i = 0; i < count(info); i++) {
            int member = start + TYPE_BYTES + i * MEMBER_BYTES;
            String name = text(types.getInt(member));
            int type = types.getInt(member + 4);
            long place = offset + Integer.toUnsignedLong(types.getInt(member + 8) & offsetMask) / Byte.SIZE;
            String path = prefix + name;
            if (!name.isEmpty()) {
                fields.found.add(new BtfStruct.Field(path, place, size(type, 0)));
            }
            if (++fields.looks > MAX_MEMBERS) {
                throw damaged("a struct has more than " + MAX_MEMBERS + " members");
            }
            expand(name.isEmpty() ? prefix : path + ".", place, type, fields, depth + 1);
        }
    }

    /// Collects the members of a type, if it is a struct or union after resolving typedefs.
    private void expand(String prefix, long offset, int id, Fields fields, int depth) {
        if (base != null && Integer.compareUnsigned(id, firstId) < 0) {
            base.expand(prefix, offset, id, fields, depth);
            return;
        }
        if (id == 0) {
            return;
        }
        int start = start(id, depth);
        switch (kind(types.getInt(start + 4))) {
            case STRUCT, UNION -> collect(prefix, offset, start, fields, depth);
            case TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG ->
                expand(prefix, offset, types.getInt(start + 8), fields, depth + 1);
            default -> {
                // A number, a pointer or an array.
            }
        }
    }

    private long size(int id, int depth) {
        if (base != null && Integer.compareUnsigned(id, firstId) < 0) {
            return base.size(id, depth);
        }
        if (id == 0) {
            return 0;
        }
        int start = start(id, depth);
        return switch (kind(types.getInt(start + 4))) {
            case INT, STRUCT, UNION, ENUM, ENUM64, FLOAT -> Integer.toUnsignedLong(types.getInt(start + 8));
            case PTR -> Long.BYTES;
            case ARRAY ->
                size(types.getInt(start + TYPE_BYTES), depth + 1)
                        * Integer.toUnsignedLong(types.getInt(start + TYPE_BYTES + 8));
            case TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG -> size(types.getInt(start + 8), depth + 1);
            default -> 0;
        };
    }

    /// Returns the offset of a type that does not belong to the base.
    ///
    /// @param depth number of types that refer to it
    private int start(int id, int depth) {
        int index = id - firstId;
        if (index < 0 || index >= starts.length) {
            throw damaged("a reference to the missing type " + Integer.toUnsignedString(id));
        }
        if (depth > MAX_DEPTH) {
            throw damaged("type " + id + " refers to itself, or to a chain of more than " + MAX_DEPTH + " types");
        }
        return starts[index];
    }

    private String text(int offset) {
        if (base != null && Integer.compareUnsigned(offset, firstString) < 0) {
            return base.text(offset);
        }
        int start = offset - firstString;
        if (start < 0 || start >= strings.limit()) {
            throw damaged("a reference to a missing name at " + Integer.toUnsignedString(offset));
        }
        int end = start;
        while (strings.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - start];
        strings.get(start, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
