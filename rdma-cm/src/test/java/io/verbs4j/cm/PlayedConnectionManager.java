// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.cm.DestroyIdentifier;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.cm.LeaveMulticast;
import io.verbs4j.abi.cm.ResolveAddress;
import io.verbs4j.abi.cm.ResolveRoute;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/// A connection manager that accepts all commands, except those that a test refuses with [#refuse]. Its responses
/// contain only zeros, and the code of an event. Unless a test uses [#answer], each request for an event gets one.
final class PlayedConnectionManager implements DeviceFile {
    /// Numbers of the commands that were sent.
    final List<Integer> sent = new ArrayList<>();
    /// The timeout of each resolution, in milliseconds.
    final List<Integer> timeouts = new ArrayList<>();
    /// The number of each membership that was left; joins return 0.
    final List<Integer> left = new ArrayList<>();
    /// Option and value of each set option.
    final List<String> options = new ArrayList<>();
    private final Map<Integer, IntSupplier> refusals = new HashMap<>();
    private final Map<Integer, Runnable> answers = new HashMap<>();
    private final Queue<Integer> events = new ArrayDeque<>();
    private long lastName;
    /// Code of the next events, whose identifier and name are 0.
    int event;
    /// Result of the next waits.
    int waited;
    int wakes;
    boolean closed;

    /// Refuses a command from now on.
    ///
    /// @param errnos error numbers of the next calls, 0 for success; the last one is repeated
    void refuse(RdmaUcmCmd command, int... errnos) {
        refuse(command.number(), errnos);
    }

    /// Refuses the command with this number from now on.
    ///
    /// @param errnos error numbers of the next calls, 0 for success; the last one is repeated
    void refuse(int command, int... errnos) {
        var left = new ArrayList<Integer>();
        for (int errno : errnos) {
            left.add(errno);
        }
        refusals.put(command, () -> left.size() == 1 ? left.getFirst() : left.removeFirst());
    }

    /// Answers a command, from now on, by an event of the identifier that was created last.
    ///
    /// @param delay time that the command takes
    void answer(RdmaUcmCmd command, CmEventCode code, Duration delay) {
        answers.put(command.number(), () -> {
            LockSupport.parkNanos(delay.toNanos());
            events.add(code.number());
        });
    }

    /// Returns how often a command was sent.
    int count(RdmaUcmCmd command) {
        return Collections.frequency(sent, command.number());
    }

    @Override
    public int write(MemorySegment command) {
        int number = RdmaUcmCmdHdr.STRUCT.view(command).getInt("cmd");
        sent.add(number);
        if (number == SetOption.COMMAND.number()) {
            options.add(option(request(SetOption.REQUEST, command)));
        }
        if (number == ResolveAddress.COMMAND.number()) {
            timeouts.add(request(ResolveAddress.REQUEST, command).getInt("timeout_ms"));
        } else if (number == ResolveRoute.COMMAND.number()) {
            timeouts.add(request(ResolveRoute.REQUEST, command).getInt("timeout_ms"));
        }
        if (number == LeaveMulticast.COMMAND.number()) {
            left.add(request(DestroyIdentifier.REQUEST, command).getInt("id"));
        }
        if (number == CreateIdentifier.COMMAND.number()) {
            lastName = request(CreateIdentifier.REQUEST, command).get("uid");
        }
        answers.getOrDefault(number, () -> {}).run();
        if (number == GetEvent.COMMAND.number()) {
            if (!answers.isEmpty() && events.isEmpty()) {
                return -Errno.EAGAIN;
            }
            CView request = request(GetEvent.REQUEST, command);
            CStruct response = GetEvent.RESPONSE;
            response.view(pointed(request.get("response"), response.size()))
                    .set("uid", answers.isEmpty() ? 0 : lastName)
                    .set("event", answers.isEmpty() ? event : events.remove());
        }
        int errno = Objects.requireNonNullElse(refusals.get(number), () -> 0).getAsInt();
        return errno == 0 ? (int) command.byteSize() : -errno;
    }

    private static CView request(CStruct type, MemorySegment command) {
        return type.view(command.asSlice(RdmaUcmCmdHdr.STRUCT.size()));
    }

    /// Returns the caller's memory at an address.
    @SuppressWarnings("restricted") // the kernel accesses the caller's memory, too
    private static MemorySegment pointed(long address, int length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    private static String option(CView request) {
        int length = request.getInt("optlen");
        MemorySegment value = pointed(request.get("optval"), length);
        long number = length == 1 ? value.get(ValueLayout.JAVA_BYTE, 0) : value.get(ValueLayout.JAVA_INT, 0);
        return request.getInt("optname") + "=" + number + " of " + length + " bytes";
    }

    @Override
    public int await(long timeoutNanos) {
        if (!answers.isEmpty() && events.isEmpty()) {
            LockSupport.parkNanos(timeoutNanos);
        }
        return answers.isEmpty() ? waited : events.size();
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
