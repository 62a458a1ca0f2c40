// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pcapng file: sections of either byte order, each with interfaces that have their own link type and clock.
final class PcapngFormat implements CaptureFormat {
    /// The type of a section header, the same in both byte orders.
    static final int MAGIC = 0x0a0d0d0a;

    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final int INTERFACE = 1;
    private static final int OLD_PACKET = 2;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    /// Bytes of type and length before a block, and of the length after it.
    private static final int FRAME_OF_BLOCK = 12;
    private static final int SHORTEST_SECTION_HEADER = 28;
    private static final int OPTION_RESOLUTION = 9;
    private static final int OPTION_OFFSET = 14;

    private final CaptureInput input;
    private final List<Interface> interfaces = new ArrayList<>();
    private ByteOrder order = ByteOrder.BIG_ENDIAN;

    /// @param snapLength maximum number of captured bytes per frame; 0 for all
    /// @param unitsPerSecond resolution of the interface's clock
    /// @param offsetSeconds added to the time of the interface's clock
    private record Interface(int linkType, long snapLength, BigInteger unitsPerSecond, long offsetSeconds) {
        /// Returns nanoseconds since 1970, or [CapturedFrame#NO_TIME] if a `long` cannot contain the time.
        long nanoseconds(long high, long low) {
            BigInteger nanos = BigInteger.valueOf(high)
                    .shiftLeft(Integer.SIZE)
                    .add(BigInteger.valueOf(low))
                    .multiply(BigInteger.valueOf(PcapReader.NANOS_PER_SECOND))
                    .divide(unitsPerSecond)
                    .add(BigInteger.valueOf(offsetSeconds)
                            .multiply(BigInteger.valueOf(PcapReader.NANOS_PER_SECOND)));
            return nanos.bitLength() < Long.SIZE ? nanos.longValue() : CapturedFrame.NO_TIME;
        }
    }

    /// Reads the first section header, whose type has already been read.
    PcapngFormat(CaptureInput input) throws IOException {
        this.input = input;
        section();
    }

    private void section() throws IOException {
        ByteBuffer start = input.header(2 * Integer.BYTES, ByteOrder.BIG_ENDIAN, "section header");
        if (start == null) {
            throw input.broken("ends within a section header");
        }
        int magic = start.getInt(Integer.BYTES);
        if (magic == Integer.reverseBytes(BYTE_ORDER_MAGIC)) {
            order = ByteOrder.LITTLE_ENDIAN;
        } else if (magic == BYTE_ORDER_MAGIC) {
            order = ByteOrder.BIG_ENDIAN;
        } else {
            throw input.broken("is damaged: a section of byte order " + RoceOpcode.hex(magic, 8));
        }
        start.order(order);
        long length = blockLength(start.getInt(0));
        if (length < SHORTEST_SECTION_HEADER) {
            throw input.broken("is damaged: a section header of " + length + " bytes");
        }
        input.skip(length - FRAME_OF_BLOCK - Integer.BYTES, "section header");
        trailer(length);
        interfaces.clear();
    }

    private long blockLength(int field) throws IOException {
        long length = Integer.toUnsignedLong(field);
        if (length < FRAME_OF_BLOCK || length % Integer.BYTES != 0) {
            throw input.broken("is damaged: a block of " + length + " bytes");
        }
        return length;
    }

    private void trailer(long length) throws IOException {
        ByteBuffer end = input.header(Integer.BYTES, order, "block");
        if (end == null) {
            throw input.broken("ends within a block");
        }
        if (Integer.toUnsignedLong(end.getInt()) != length) {
            throw input.broken("is damaged: the two lengths of a block differ");
        }
    }

    @Override
    public @Nullable CapturedFrame next() throws IOException {
        while (true) {
            ByteBuffer type = input.header(Integer.BYTES, order, "block");
            if (type == null) {
                return null;
            }
            int block = type.getInt();
            if (block == MAGIC) {
                section();
                continue;
            }
            ByteBuffer field = input.header(Integer.BYTES, order, "block");
            if (field == null) {
                throw input.broken("ends within a block");
            }
            long length = blockLength(field.getInt());
            CapturedFrame frame = block(block, length - FRAME_OF_BLOCK);
            trailer(length);
            if (frame != null) {
                return frame;
            }
        }
    }

    private @Nullable CapturedFrame block(int type, long length) throws IOException {
        if (type != INTERFACE && type != OLD_PACKET && type != SIMPLE_PACKET && type != ENHANCED_PACKET) {
            input.skip(length, "block");
            return null;
        }
        ByteBuffer body = ByteBuffer.wrap(input.bytes(length, "block")).order(order);
        try {
            if (type == INTERFACE) {
                interfaces.add(description(body));
                return null;
            }
            return type == SIMPLE_PACKET ? simple(body) : packet(body, type == OLD_PACKET);
        } catch (BufferUnderflowException e) {
            throw input.broken("is damaged: a block of type " + type + " with " + length + " bytes");
        }
    }

    private static Interface description(ByteBuffer body) {
        int linkType = Short.toUnsignedInt(body.getShort());
        body.getShort(); // reserved
        long snapLength = Integer.toUnsignedLong(body.getInt());
        BigInteger unitsPerSecond = BigInteger.TEN.pow(6);
        long offset = 0;
        while (body.hasRemaining()) {
            int option = Short.toUnsignedInt(body.getShort());
            int length = Short.toUnsignedInt(body.getShort());
            if (option == 0) {
                break;
            }
            byte[] value = new byte[length];
            body.get(value);
            body.position(Math.min(body.limit(), body.position() + (-length & 3)));
            if (option == OPTION_RESOLUTION && length == 1) {
                int exponent = value[0] & 0x7f;
                unitsPerSecond = value[0] < 0 ? BigInteger.TWO.pow(exponent) : BigInteger.TEN.pow(exponent);
            } else if (option == OPTION_OFFSET && length == Long.BYTES) {
                offset = ByteBuffer.wrap(value).order(body.order()).getLong();
            }
        }
        return new Interface(linkType, snapLength, unitsPerSecond, offset);
    }

    private CapturedFrame packet(ByteBuffer body, boolean old) throws IOException {
        long number = old ? Short.toUnsignedInt(body.getShort()) : Integer.toUnsignedLong(body.getInt());
        if (old) {
            body.getShort(); // number of frames lost before
        }
        long high = Integer.toUnsignedLong(body.getInt());
        long low = Integer.toUnsignedLong(body.getInt());
        long captured = Integer.toUnsignedLong(body.getInt());
        long original = Integer.toUnsignedLong(body.getInt());
        Interface from = of(number);
        return frame(from, from.nanoseconds(high, low), original, captured, body);
    }

    /// Reads a simple block, which has no time and no captured length, and belongs to the first interface.
    private CapturedFrame simple(ByteBuffer body) throws IOException {
        long original = Integer.toUnsignedLong(body.getInt());
        Interface from = of(0);
        long captured = from.snapLength == 0 ? original : Math.min(original, from.snapLength);
        return frame(from, CapturedFrame.NO_TIME, original, Math.min(captured, body.remaining()), body);
    }

    private CapturedFrame frame(Interface from, long time, long original, long captured, ByteBuffer body) {
        if (captured > body.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[(int) captured];
        body.get(bytes);
        return new CapturedFrame(input.nextNumber(), time, from.linkType, original, bytes);
    }

    private Interface of(long number) throws IOException {
        if (number >= interfaces.size()) {
            throw input.broken("is damaged: a frame of interface " + number + ", which is not described");
        }
        return interfaces.get((int) number);
    }
}
