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
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Type information in the BPF Type Format (Documentation/bpf/btf.rst, include/uapi/linux/btf.h), as the kernel offers it of
/// itself in `/sys/kernel/btf`.
///
/// It is a list of types, each of which refers to others by number, and a table of names. A module's list continues that of
/// the kernel image (`vmlinux`), in both numbering and names, so it can be read only together with it.
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

    private final @Nullable Btf base;
    private final ByteBuffer types;
    private final ByteBuffer strings;
    /// Where each type starts, by its number less [#firstId].
    private final int[] starts;
    private final int firstId;
    private final int firstString;

    private Btf(@Nullable Btf base, ByteBuffer data) {
        ByteBuffer all = data.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (all.remaining() < 24 || Short.toUnsignedInt(all.getShort(0)) != MAGIC) {
            throw new IllegalArgumentException("not type information in little-endian BTF");
        }
        int header = all.getInt(4);
        this.base = base;
        this.types = all.slice(header + all.getInt(8), all.getInt(12)).order(ByteOrder.LITTLE_ENDIAN);
        this.strings = all.slice(header + all.getInt(16), all.getInt(20));
        // Number 0 is `void` and not in the list.
        this.firstId = base == null ? 1 : base.firstId + base.starts.length;
        this.firstString = base == null ? 0 : base.firstString + base.strings.limit();
        this.starts = starts(types);
    }

    /// The type information of a kernel image.
    ///
    /// @throws IllegalArgumentException if the bytes are something else, or of a kind that this version does not know
    public static Btf of(ByteBuffer vmlinux) {
        return new Btf(null, vmlinux);
    }

    /// That of the kernel that runs.
    ///
    /// @throws IOException if this kernel offers none
    public static Btf ofRunningKernel() throws IOException {
        return of(KERNEL.resolve("vmlinux"));
    }

    /// That of the kernel that runs, and of one of its modules, such as `rdma_rxe`.
    ///
    /// @throws IOException if the module is not loaded, or this kernel offers none of it
    public static Btf ofRunningKernel(String module) throws IOException {
        return of(KERNEL, module);
    }

    /// That of a module and of the kernel it belongs to, from a copy of `/sys/kernel/btf`.
    ///
    /// @throws IOException if there is no `vmlinux` in the folder, or no file of the module's name
    public static Btf of(Path folder, String module) throws IOException {
        byte[] bytes = Files.readAllBytes(folder.resolve(module));
        return of(folder.resolve("vmlinux")).with(ByteBuffer.wrap(bytes));
    }

    private static Btf of(Path vmlinux) throws IOException {
        return of(ByteBuffer.wrap(Files.readAllBytes(vmlinux)));
    }

    /// This, continued by that of a module.
    ///
    /// @throws IllegalArgumentException if the bytes are something else
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
            position += TYPE_BYTES + extra(types.getInt(position + 4));
        }
        return Arrays.copyOf(starts, count);
    }

    /// How many bytes follow a type of this info word.
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

    /// The struct or union of a name. Of several that are different, as may happen between parts of a kernel, the one that
    /// was listed last, which is the module's own.
    public Optional<BtfStruct> struct(String name) {
        for (int i = starts.length - 1; i >= 0; i--) {
            int start = starts[i];
            int kind = kind(types.getInt(start + 4));
            if ((kind == STRUCT || kind == UNION) && text(types.getInt(start)).equals(name)) {
                var fields = new ArrayList<BtfStruct.Field>();
                collect("", 0, start, fields);
                return Optional.of(new BtfStruct(name, Integer.toUnsignedLong(types.getInt(start + 8)), fields));
            }
        }
        return base == null ? Optional.empty() : base.struct(name);
    }

    /// Lists the members of the struct at `start`, and theirs.
    private void collect(String prefix, long offset, int start, List<BtfStruct.Field> fields) {
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
                fields.add(new BtfStruct.Field(path, place, size(type)));
            }
            expand(name.isEmpty() ? prefix : path + ".", place, type, fields);
        }
    }

    /// Lists the members of a type, if it is a struct or union behind its typedefs.
    private void expand(String prefix, long offset, int id, List<BtfStruct.Field> fields) {
        if (base != null && id < firstId) {
            base.expand(prefix, offset, id, fields);
            return;
        }
        if (id == 0) {
            return;
        }
        int start = starts[id - firstId];
        switch (kind(types.getInt(start + 4))) {
            case STRUCT, UNION -> collect(prefix, offset, start, fields);
            case TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG ->
                expand(prefix, offset, types.getInt(start + 8), fields);
            default -> {
                // A number, a pointer or an array.
            }
        }
    }

    private long size(int id) {
        if (base != null && id < firstId) {
            return base.size(id);
        }
        if (id == 0) {
            return 0;
        }
        int start = starts[id - firstId];
        return switch (kind(types.getInt(start + 4))) {
            case INT, STRUCT, UNION, ENUM, ENUM64, FLOAT -> Integer.toUnsignedLong(types.getInt(start + 8));
            case PTR -> Long.BYTES;
            case ARRAY ->
                size(types.getInt(start + TYPE_BYTES)) * Integer.toUnsignedLong(types.getInt(start + TYPE_BYTES + 8));
            case TYPEDEF, VOLATILE, CONST, RESTRICT, TYPE_TAG -> size(types.getInt(start + 8));
            default -> 0;
        };
    }

    private String text(int offset) {
        if (base != null && offset < firstString) {
            return base.text(offset);
        }
        int start = offset - firstString;
        int end = start;
        while (strings.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - start];
        strings.get(start, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
