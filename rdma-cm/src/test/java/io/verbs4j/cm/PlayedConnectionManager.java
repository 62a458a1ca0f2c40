// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.cm.JoinMulticast;
import io.verbs4j.abi.cm.LeaveMulticast;
import io.verbs4j.abi.cm.ResolveAddress;
import io.verbs4j.abi.cm.ResolveRoute;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
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
final class PlayedConnectionManager extends KernelSide {
    /// Option and value of each set option.
    final List<String> options = new ArrayList<>();
    private final Map<Integer, IntSupplier> refusals = new HashMap<>();
    private final Map<RdmaUcmCmd, Runnable> answers = new HashMap<>();
    private final Queue<Integer> events = new ArrayDeque<>();
    private long lastName;
    /// Code of the next events, whose identifier and name are 0.
    int event;
    /// Result of the next waits.
    int waited;
    int wakes;

    PlayedConnectionManager() {
        super(CONNECTION_MANAGER);
    }

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

    /// Answers a command, from now on, by an event of the identifier or membership that was created last.
    ///
    /// @param delay time that the command takes
    void answer(RdmaUcmCmd command, CmEventCode code, Duration delay) {
        answers.put(command, () -> {
            LockSupport.parkNanos(delay.toNanos());
            events.add(code.number());
        });
    }

    /// Answers a join by an event of the membership.
    ///
    /// @param action runs before the command returns
    void join(Runnable action) {
        answers.put(JoinMulticast.COMMAND, () -> {
            events.add(CmEventCode.MULTICAST_JOIN.number());
            action.run();
        });
    }

    /// Returns the numbers of the commands that were sent.
    List<Integer> sent() {
        return commands.stream().map(PlayedConnectionManager::number).toList();
    }

    private static int number(KernelCall call) {
        return Objects.requireNonNull(call.manager).number();
    }

    /// Returns the timeout of each resolution, in milliseconds.
    List<Integer> timeouts() {
        return sent("timeout_ms", ResolveAddress.COMMAND, ResolveRoute.COMMAND);
    }

    /// Returns the number of each membership that was left; joins return 0.
    List<Integer> groupsLeft() {
        return sent("id", LeaveMulticast.COMMAND);
    }

    private List<Integer> sent(String field, RdmaUcmCmd... kinds) {
        return commands.stream()
                .filter(call -> List.of(kinds).contains(call.manager))
                .map(call -> (int) call.get(field))
                .toList();
    }

    /// Returns how often a command was sent.
    int count(RdmaUcmCmd command) {
        return Collections.frequency(sent(), command.number());
    }

    @Override
    public int write(MemorySegment command) {
        if (isClosed()) {
            throw new AssertionError("a command to a closed file");
        }
        return super.write(command);
    }

    @Override
    protected int answer(KernelCall call) {
        if (call.manager == SetOption.COMMAND) {
            options.add(option(call));
        } else if (call.manager == CreateIdentifier.COMMAND || call.manager == JoinMulticast.COMMAND) {
            lastName = call.get("uid");
        }
        answers.getOrDefault(call.manager, () -> {}).run();
        if (call.manager == GetEvent.COMMAND) {
            if (!answers.isEmpty() && events.isEmpty()) {
                return -Errno.EAGAIN;
            }
            call.response()
                    .set("uid", answers.isEmpty() ? 0 : lastName)
                    .set("event", answers.isEmpty() ? event : events.remove());
        }
        return -Objects.requireNonNullElse(refusals.get(number(call)), () -> 0).getAsInt();
    }

    private static String option(KernelCall call) {
        long length = call.get("optlen");
        MemorySegment value = at(call.get("optval"), length);
        long number = length == 1 ? value.get(ValueLayout.JAVA_BYTE, 0) : value.get(ValueLayout.JAVA_INT, 0);
        return call.get("optname") + "=" + number + " of " + length + " bytes";
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
}
