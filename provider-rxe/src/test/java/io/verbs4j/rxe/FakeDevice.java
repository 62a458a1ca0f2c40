// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.abi.EventFile;
import io.verbs4j.abi.UverbsFile;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A device file behind which nothing works but the making, mapping, resizing and ending of queues, as `rdma_rxe` does
/// it. It notes what happens in [#log()], and can fail any of it.
final class FakeDevice implements UverbsFile {
    private static final int OBJECT_DEVICE = 0;
    private static final int OBJECT_ASYNC_EVENT = 16;
    private static final Map<Integer, String> QUEUES = Map.of(3, "CQ", 4, "QP", 5, "SRQ");

    private static final int UHW_IN = 0x1000;
    private static final int UHW_OUT = 0x1001;

    private static final int COMMAND_RESIZE_CQ = 19;
    private static final int COMMAND_MODIFY_SRQ = 33;

    private final Arena memory = Arena.ofShared();
    private final List<String> log = new ArrayList<>();
    private final Map<Long, FakeRing> offers = new HashMap<>();
    private final Map<String, FakeRing> rings = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private long nextOffset = 0x1000;
    private int nextHandle;
    private boolean nonsense;

    /// What happened: `create CQ`, `map`, `unmap`, `destroy CQ`, `doorbell`, `command 26`, …
    List<String> log() {
        return log;
    }

    /// Lets the n-th occurrence of an event from now on fail.
    ///
    /// @param nth 1 for the next
    void fail(String event, int nth) {
        failures.put(event, nth);
    }

    /// Lets headers of rings that are made from now on say nonsense.
    void writeNonsense() {
        nonsense = true;
    }

    /// The kernel's end of the ring that was made last: `CQ`, `SQ`, `RQ` or `SRQ`.
    FakeRing ring(String kind) {
        return Objects.requireNonNull(rings.get(kind), kind);
    }

    private boolean happens(String event) {
        Integer left = failures.computeIfPresent(event, (key, value) -> value - 1);
        if (left != null && left == 0) {
            failures.remove(event);
            log.add(event + " fails");
            return false;
        }
        log.add(event);
        return true;
    }

    @Override
    public int ioctl(MemorySegment command) {
        int object = command.get(JAVA_SHORT, 2);
        int method = command.get(JAVA_SHORT, 4);
        var arguments = new Arguments(command);
        String queue = QUEUES.get(object);
        if (queue != null) {
            return method == 0
                    ? create(queue, arguments)
                    : happens("destroy " + queue) ? 0 : -Errno.EBUSY;
        }
        return switch (object) {
            case OBJECT_DEVICE -> device(method, arguments);
            case OBJECT_ASYNC_EVENT -> {
                arguments.set(0, 99);
                yield happens("async events") ? 0 : -Errno.ENOMEM;
            }
            default -> happens("object " + object) ? 0 : -Errno.ENOMEM;
        };
    }

    private int create(String queue, Arguments arguments) {
        if (!happens("create " + queue)) {
            return -Errno.ENOMEM;
        }
        arguments.set(0, nextHandle++);
        MemorySegment answer = arguments.pointer(UHW_OUT);
        switch (queue) {
            case "CQ" -> offer(answer, 0, "CQ", FakeRing.empty(memory, 8, 7, 5));
            case "SRQ" -> {
                arguments.pointer(11).set(JAVA_INT, 0, 7);
                arguments.pointer(12).set(JAVA_INT, 0, 1);
                offer(answer, 0, "SRQ", FakeRing.empty(memory, 8, 6, 5));
                answer.set(JAVA_INT, 16, 4711);
            }
            default -> {
                MemorySegment capabilities = arguments.pointer(13);
                // The kernel of 6.1 reports the numbers of work requests that were asked for.
                int[] values = {5, 5, 2, 1, 32};
                MemorySegment.copy(values, 0, capabilities, JAVA_INT, 0, values.length);
                arguments.pointer(14).set(JAVA_INT, 0, 17);
                boolean shared = arguments.has(3);
                if (!shared) {
                    offer(answer, 0, "RQ", FakeRing.empty(memory, 8, 6, 0));
                }
                offer(answer, 16, "SQ", FakeRing.empty(memory, 16, 8, 0));
            }
        }
        return 0;
    }

    private int device(int method, Arguments arguments) {
        if (method != 0) {
            boolean fine = happens("method " + method);
            if (method == 2) {
                MemorySegment port = arguments.pointer(1);
                port.set(JAVA_INT, 4, 8 << 20); // max_msg_sz
                port.set(JAVA_BYTE, 26, (byte) 4); // state
                port.set(JAVA_BYTE, 27, (byte) 5); // max_mtu
                port.set(JAVA_BYTE, 28, (byte) 3); // active_mtu
            }
            return fine ? 0 : -Errno.EIO;
        }
        int number = (int) arguments.value(2) & 0xff;
        if (!happens("command " + number)) {
            return -Errno.ENOMEM;
        }
        if (number == COMMAND_RESIZE_CQ) {
            FakeRing resized = ring("CQ").resize(memory, 32, true);
            offer(arguments.pointer(UHW_OUT), 0, "CQ", resized);
        } else if (number == COMMAND_MODIFY_SRQ) {
            // 8 bytes travel in the attribute itself; they are the address of the answer's place.
            long address = arguments.value(UHW_IN);
            offer(at(address, 16), 0, "SRQ", ring("SRQ").resize(memory, 32, false));
        }
        return 0;
    }

    private void offer(MemorySegment answer, long at, String kind, FakeRing ring) {
        if (nonsense) {
            ring.memory().set(JAVA_INT, FakeRing.INDEX_MASK, 6);
        }
        answer.set(JAVA_LONG, at, nextOffset);
        answer.set(JAVA_INT, at + 8, (int) ring.memory().byteSize());
        offers.put(nextOffset, ring);
        rings.put(kind, ring);
        nextOffset += 0x1000;
    }

    /// The arguments of an ioctl command, by their ids: 16 bytes each behind a head of 24, with id, length and value at
    /// 0, 2 and 8.
    private static final class Arguments {
        private final MemorySegment command;
        private final Map<Integer, Long> places = new HashMap<>();

        Arguments(MemorySegment command) {
            this.command = command;
            for (int i = 0; i < command.get(JAVA_SHORT, 6); i++) {
                long place = 24 + 16L * i;
                places.put(command.get(JAVA_SHORT, place) & 0xffff, place);
            }
        }

        boolean has(int id) {
            return places.containsKey(id);
        }

        long value(int id) {
            return command.get(JAVA_LONG, place(id) + 8);
        }

        void set(int id, long value) {
            command.set(JAVA_LONG, place(id) + 8, value);
        }

        MemorySegment pointer(int id) {
            return at(value(id), command.get(JAVA_SHORT, place(id) + 2) & 0xffff);
        }

        private long place(int id) {
            return Objects.requireNonNull(places.get(id), () -> "argument " + id);
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    @Override
    public int write(MemorySegment command) {
        return happens("doorbell") ? (int) command.byteSize() : -Errno.EINVAL;
    }

    @Override
    @SuppressWarnings("restricted")
    public MemorySegment map(long offset, long length, Arena arena) {
        FakeRing ring = offers.remove(offset);
        if (ring == null || ring.memory().byteSize() != length) {
            throw new VerbsException("map ring", Errno.EINVAL, "");
        }
        if (!happens("map")) {
            throw new VerbsException("map ring", Errno.ENOMEM, "");
        }
        return ring.memory().reinterpret(arena, unmapped -> log.add("unmap"));
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
                return -Errno.EAGAIN;
            }

            @Override
            public void wake() {}

            @Override
            public void close() {
                log.add("close events");
            }
        };
    }

    @Override
    public void close() {
        memory.close();
    }
}
