// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;

/// A connection manager that accepts all commands but those that a test has it refuse. Its responses
/// contain only zeros, and the code of an event.
final class PlayedConnectionManager implements DeviceFile {
    /// Numbers of commands (`RDMA_USER_CM_CMD_*`, include/uapi/rdma/rdma_user_cm.h).
    static final int CREATE_ID = 0;
    static final int DESTROY_ID = 1;
    static final int GET_EVENT = 12;
    static final int SET_OPTION = 14;
    static final int LEAVE_MCAST = 17;
    static final int MIGRATE_ID = 18;
    static final int BIND = 20;
    static final int RESOLVE_ADDR = 21;
    static final int JOIN_MCAST = 22;

    private static final int HEADER = 8;
    private static final int OPTION_AT = HEADER + 16;
    private static final int EVENT_AT = 12;
    private static final int RESPONSE_BYTES = 16;

    /// Numbers of the commands that were sent.
    final List<Integer> sent = new ArrayList<>();
    /// Option and value of each set option.
    final List<String> options = new ArrayList<>();
    private final Map<Integer, IntSupplier> refusals = new HashMap<>();
    /// Code of the next events, whose identifier and name are 0.
    int event;
    /// Result of the next waits.
    int waited;
    int wakes;
    boolean closed;

    /// Refuses a command from now on.
    ///
    /// @param errnos error numbers of the next calls, 0 for success; the last one is repeated
    void refuse(int command, int... errnos) {
        var left = new ArrayList<Integer>();
        for (int errno : errnos) {
            left.add(errno);
        }
        refusals.put(command, () -> left.size() == 1 ? left.getFirst() : left.removeFirst());
    }

    @Override
    public int write(MemorySegment command) {
        int number = command.get(ValueLayout.JAVA_INT, 0);
        sent.add(number);
        if (number == SET_OPTION) {
            options.add(option(command));
        }
        if (number == GET_EVENT) {
            pointed(command, RESPONSE_BYTES).set(ValueLayout.JAVA_INT, EVENT_AT, event);
        }
        int errno = Objects.requireNonNullElse(refusals.get(number), () -> 0).getAsInt();
        return errno == 0 ? (int) command.byteSize() : -errno;
    }

    /// Returns the memory that the first field of a command points to.
    @SuppressWarnings("restricted") // the kernel accesses the caller's memory, too
    private static MemorySegment pointed(MemorySegment command, int length) {
        return MemorySegment.ofAddress(command.get(ValueLayout.JAVA_LONG_UNALIGNED, HEADER)).reinterpret(length);
    }

    private static String option(MemorySegment command) {
        int length = command.get(ValueLayout.JAVA_INT, OPTION_AT + Integer.BYTES);
        MemorySegment value = pointed(command, length);
        long number = length == 1 ? value.get(ValueLayout.JAVA_BYTE, 0) : value.get(ValueLayout.JAVA_INT, 0);
        return command.get(ValueLayout.JAVA_INT, OPTION_AT) + "=" + number + " of " + length + " bytes";
    }

    @Override
    public int await(long timeoutNanos) {
        return waited;
    }

    @Override
    public void wake() {
        wakes++;
    }

    @Override
    public int fileDescriptor() {
        return -1;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public int ioctl(MemorySegment command) {
        throw new AssertionError("the connection manager has no ioctl");
    }

    @Override
    public MemorySegment map(long offset, long length) {
        throw new AssertionError("the connection manager has nothing to map");
    }

    @Override
    public void unmap(MemorySegment ring) {
        throw new AssertionError("the connection manager has nothing to map");
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        throw new AssertionError("the connection manager has no event files");
    }
}
