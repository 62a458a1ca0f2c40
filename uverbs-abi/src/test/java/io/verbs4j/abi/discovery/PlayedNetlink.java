// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.device.NetlinkFile;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;

/// The kernel's side of a netlink socket: records the requests, and plays responses that a test has prepared.
final class PlayedNetlink implements NetlinkFile {
    static final int ERROR = 2;
    static final int DONE = 3;
    /// Type of a message that contains an object.
    static final int OBJECT = 0x1401;
    /// In place of the number of the present request, and of the one before.
    private static final int CURRENT = -1;
    private static final int FORMER = -2;

    /// The requests: type, flags, and attributes as `number=bytes`, in hexadecimal except for the numbers.
    final List<String> requests = new ArrayList<>();
    /// The memory that requests and responses used.
    final List<MemorySegment> memory = new ArrayList<>();
    /// Result of sending, if it is an error.
    int refusal;
    boolean closed;

    private final Deque<byte[]> datagrams = new ArrayDeque<>();
    private int sequence;
    private int formerSequence;

    /// Adds a datagram to the response to the next request.
    ///
    /// @param messages from [#message]; their sequence number becomes that of the request
    PlayedNetlink answer(byte[]... messages) {
        datagrams.add(join(messages));
        return this;
    }

    static byte[] message(int type, byte[]... payload) {
        return message(CURRENT, type, payload);
    }

    /// Returns a late response to the request before.
    static byte[] late(int type, byte[]... payload) {
        return message(FORMER, type, payload);
    }

    private static byte[] message(int sequence, int type, byte[]... payload) {
        byte[] bytes = join(payload);
        return buffer(16 + bytes.length)
                .putInt(16 + bytes.length)
                .putShort((short) type)
                .putShort((short) 0)
                .putInt(sequence)
                .putInt(0)
                .put(bytes)
                .array();
    }

    /// Returns an acknowledgement, or the end of a list.
    static byte[] end(int type, int result) {
        return message(type, buffer(4).putInt(result).array());
    }

    static byte[] attribute(int number, byte[]... payload) {
        byte[] bytes = join(payload);
        return buffer(4 + Math.ceilDiv(bytes.length, 4) * 4)
                .putShort((short) (4 + bytes.length))
                .putShort((short) number)
                .put(bytes)
                .array();
    }

    static byte[] u8(int number, int value) {
        return attribute(number, new byte[]{(byte) value});
    }

    static byte[] u32(int number, int value) {
        return attribute(number, buffer(4).putInt(value).array());
    }

    static byte[] u64(int number, long value) {
        return attribute(number, buffer(8).putLong(value).array());
    }

    static byte[] text(int number, String value) {
        return attribute(number, (value + "\0").getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = buffer(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    private static ByteBuffer buffer(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public int send(MemorySegment message) {
        memory.add(message);
        ByteBuffer bytes =
                ByteBuffer.wrap(message.toArray(ValueLayout.JAVA_BYTE)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt() != bytes.limit()) {
            return -Errno.EINVAL;
        }
        var text = new StringBuilder(String.format("%04x %04x", bytes.getShort(), bytes.getShort()));
        formerSequence = sequence;
        sequence = bytes.getInt();
        bytes.getInt();
        while (bytes.hasRemaining()) {
            int length = bytes.getShort();
            text.append(String.format(" %d=", bytes.getShort()));
            byte[] payload = new byte[length - 4];
            bytes.get(payload).position(Math.ceilDiv(bytes.position(), 4) * 4);
            text.append(HexFormat.of().formatHex(payload));
        }
        requests.add(text.toString());
        return refusal == 0 ? bytes.limit() : refusal;
    }

    @Override
    public int receive(MemorySegment buffer) {
        memory.add(buffer);
        byte[] datagram = datagrams.poll();
        if (datagram == null) {
            return -Errno.ETIMEDOUT;
        }
        ByteBuffer bytes = ByteBuffer.wrap(datagram).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < datagram.length; at += bytes.getInt(at)) {
            bytes.putInt(at + 8, bytes.getInt(at + 8) == CURRENT ? sequence : formerSequence);
        }
        MemorySegment.copy(datagram, 0, buffer, ValueLayout.JAVA_BYTE, 0, datagram.length);
        return datagram.length;
    }

    @Override
    public void close() {
        closed = true;
    }
}
