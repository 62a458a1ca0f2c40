// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Writes type information like a compiler.
public final class BtfBuilder {
    private final ByteArrayOutputStream types = new ByteArrayOutputStream();
    private final ByteArrayOutputStream strings = new ByteArrayOutputStream();
    private final int firstString;
    private int nextId;

    private BtfBuilder(int firstId, int firstString) {
        this.nextId = firstId;
        this.firstString = firstString;
        strings.write(0);
    }

    /// Returns a builder of a kernel image.
    public static BtfBuilder image() {
        return new BtfBuilder(1, 0);
    }

    /// Returns a builder of a module that continues an image.
    public BtfBuilder module() {
        return new BtfBuilder(nextId, strings.size());
    }

    private int text(String name) {
        if (name.isEmpty()) {
            return 0;
        }
        int offset = firstString + strings.size();
        strings.writeBytes(name.getBytes(StandardCharsets.UTF_8));
        strings.write(0);
        return offset;
    }

    private void put(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int word : words) {
            bytes.putInt(word);
        }
        types.writeBytes(bytes.array());
    }

    /// Adds any type.
    ///
    /// @param rest the words after the three that all types have
    /// @return its number
    public int type(String name, int kind, int count, int sizeOrType, int... rest) {
        put(text(name), kind << 24 | count, sizeOrType);
        put(rest);
        return nextId++;
    }

    /// Adds a number of some bytes.
    public int number(String name, int bytes) {
        return type(name, 1, 0, bytes, 8 * bytes);
    }

    /// Adds an array.
    public int array(int element, int length) {
        return type("", 3, 0, 0, element, element, length);
    }

    /// A member of [#struct].
    public record Member(String name, int type, int bits) {}

    /// Adds a struct (4) or union (5).
    public int struct(int kind, String name, int size, boolean bitFields, Member... members) {
        int[] rest = new int[3 * members.length];
        for (int i = 0; i < members.length; i++) {
            rest[3 * i] = text(members[i].name());
            rest[3 * i + 1] = members[i].type();
            rest[3 * i + 2] = members[i].bits();
        }
        put(text(name), (bitFields ? 1 << 31 : 0) | kind << 24 | members.length, size);
        put(rest);
        return nextId++;
    }

    public ByteBuffer build() {
        ByteBuffer bytes = ByteBuffer.allocate(24 + types.size() + strings.size()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort((short) 0xeb9f).put((byte) 1).put((byte) 0).putInt(24);
        bytes.putInt(0).putInt(types.size()).putInt(types.size()).putInt(strings.size());
        bytes.put(types.toByteArray()).put(strings.toByteArray());
        return bytes.flip();
    }
}
