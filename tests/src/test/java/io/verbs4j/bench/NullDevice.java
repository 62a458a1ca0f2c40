// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// A device file without a device. It accepts every command, and provides rings of 128 slots in the layout of
/// `rdma_rxe` for queue pairs and completion queues. The doorbell costs nothing.
public final class NullDevice implements DeviceFile {
    static final int SLOTS = 128;

    // struct rxe_queue_buf (include/uapi/rdma/rdma_user_rxe.h)
    static final long LOG2_ELEM_SIZE = 0;
    static final long INDEX_MASK = 4;
    static final long PRODUCER_INDEX = 128;
    static final long CONSUMER_INDEX = 256;
    static final long ELEMENTS = 384;

    static final int SEND_SHIFT = 8;
    static final int RECEIVE_SHIFT = 7;
    static final int COMPLETION_SHIFT = 7;

    private static final int DEVICE = 0;
    private static final int QUERY_PORT = 2;
    private static final int GET_CONTEXT = 3;
    private static final int COMPLETION_QUEUE = 3;
    private static final int QUEUE_PAIR = 4;
    private static final int ANSWER_OF_DRIVER = 0x1001;
    private static final int QUERY_DEVICE = 1;
    private static final int CREATE_ADDRESS_HANDLE = 5;

    /// Without any ring yet.
    public NullDevice() {}

    private final Arena arena = Arena.ofShared();
    private final Map<Long, MemorySegment> offers = new HashMap<>();
    private long nextOffset = 4096;

    /// The ring of the completion queue that was made last.
    MemorySegment completions = MemorySegment.NULL;

    /// The receive ring of the queue pair that was made last.
    MemorySegment receives = MemorySegment.NULL;

    /// The send ring of the queue pair that was made last.
    MemorySegment sends = MemorySegment.NULL;

    @Override
    public int ioctl(MemorySegment command) {
        int object = command.get(JAVA_SHORT, 2);
        int method = command.get(JAVA_SHORT, 4);
        var arguments = arguments(command);
        if (object == COMPLETION_QUEUE && method == 0) {
            completions = offer(answer(arguments), 0, COMPLETION_SHIFT);
        } else if (object == QUEUE_PAIR && method == 0) {
            receives = offer(answer(arguments), 0, RECEIVE_SHIFT);
            sends = offer(answer(arguments), 16, SEND_SHIFT);
            int[] capabilities = {SLOTS - 1, SLOTS - 1, 3, 3, 48};
            MemorySegment.copy(capabilities, 0, arguments.get(13), JAVA_INT, 0, capabilities.length);
        } else if (object == DEVICE && method == QUERY_PORT) {
            MemorySegment port = arguments.get(1);
            port.set(JAVA_INT, 4, 8 << 20); // max_msg_sz
            port.set(JAVA_BYTE, 26, (byte) 4); // state: active
            port.set(JAVA_BYTE, 27, (byte) 5); // max_mtu
            port.set(JAVA_BYTE, 28, (byte) 3); // active_mtu: 1024
        } else if (object == DEVICE && method == GET_CONTEXT) {
            arguments.get(0).set(JAVA_INT, 0, 1); // completion vectors
        } else if (object == DEVICE && method == 0) {
            switch ((int) arguments.get(2).address() & 0xff) {
                case QUERY_DEVICE -> arguments.get(1).fill((byte) 1); // one port, and much of all else
                case CREATE_ADDRESS_HANDLE -> answer(arguments).set(JAVA_INT, 0, 1); // ah_num
                default -> {}
            }
        }
        return 0;
    }

    /// The arguments by their ids: 16 bytes each behind a head of 24, with id, length and value at 0, 2 and 8.
    @SuppressWarnings("restricted")
    private static Map<Integer, MemorySegment> arguments(MemorySegment command) {
        var found = new HashMap<Integer, MemorySegment>();
        for (int i = 0; i < command.get(JAVA_SHORT, 6); i++) {
            long at = 24 + 16L * i;
            long length = command.get(JAVA_SHORT, at + 2) & 0xffff;
            found.put(
                    command.get(JAVA_SHORT, at) & 0xffff,
                    MemorySegment.ofAddress(command.get(JAVA_LONG, at + 8)).reinterpret(length));
        }
        return found;
    }

    private static MemorySegment answer(Map<Integer, MemorySegment> arguments) {
        return arguments.getOrDefault(ANSWER_OF_DRIVER, MemorySegment.NULL);
    }

    private MemorySegment offer(MemorySegment answer, long at, int shift) {
        MemorySegment ring = arena.allocate(ELEMENTS + ((long) SLOTS << shift), 4096);
        ring.set(JAVA_INT, LOG2_ELEM_SIZE, shift);
        ring.set(JAVA_INT, INDEX_MASK, SLOTS - 1);
        answer.set(JAVA_LONG, at, nextOffset);
        answer.set(JAVA_INT, at + 8, (int) ring.byteSize());
        offers.put(nextOffset, ring);
        nextOffset += 4096;
        return ring;
    }

    @Override
    public int write(MemorySegment command) {
        return (int) command.byteSize();
    }

    @Override
    public MemorySegment map(long offset, long length) {
        return offers.get(offset);
    }

    @Override
    public void unmap(MemorySegment ring) {}

    @Override
    public int fileDescriptor() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int await(long timeoutNanos) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wake() {
        throw new UnsupportedOperationException();
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        return new EventFile() {
            @Override
            public int fileDescriptor() {
                return fileDescriptor;
            }

            @Override
            public int await(long timeoutNanos) {
                return 0;
            }

            @Override
            public int read(MemorySegment record) {
                return 0;
            }

            @Override
            public void wake() {}

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        arena.close();
    }
}
