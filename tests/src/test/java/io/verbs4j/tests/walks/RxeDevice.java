// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.VerbsException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/// Both ends on rxe, over the wire.
final class RxeDevice implements WalkDevice {
    private final RxeEnd left;
    private final RxeEnd right;
    private final LongConsumer pause;

    /// Opens both ends.
    RxeDevice(boolean patient, DevicePair pair) {
        this(patient, pair, nanos -> LockSupport.parkNanos(nanos));
    }

    /// @param pause lets the devices work on for some nanoseconds
    RxeDevice(boolean patient, DevicePair pair, LongConsumer pause) {
        this.pause = pause;
        left = new RxeEnd(Side.LEFT, patient, pair);
        try {
            right = new RxeEnd(Side.RIGHT, patient, pair);
        } catch (RuntimeException | Error e) {
            left.close();
            throw e;
        }
    }

    RxeEnd end(Side side) {
        return side == Side.LEFT ? left : right;
    }

    @Override
    public Outcome perform(int index, Step step) {
        try {
            return performed(index, step);
        } catch (VerbsException e) {
            return Outcome.refused(e.errno());
        } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
            return Outcome.refusedByLibrary(e.getClass());
        }
    }

    private Outcome performed(int index, Step step) {
        RxeEnd end = end(step.side());
        RxeEnd peer = end(step.side().peer());
        switch (step) {
            case Step.Modify modify -> end.modify(modify, peer);
            case Step.Send send -> {
                return Outcome.posted(end.send(index, send.requests(), peer));
            }
            case Step.Receive receive -> {
                return Outcome.posted(end.receive(index, receive.receives()));
            }
            case Step.Poll poll -> {
                return Outcome.completions(end.poll(poll.queue(), poll.max()));
            }
            case Step.Arm arm -> end.arm(arm.queue(), arm.solicitedOnly());
            case Step.Resize resize -> end.resize(resize.queue(), resize.entries());
            case Step.RenewQueue renewal -> end.renewQueue(renewal.queue());
            case Step.RenewRegion renewal -> end.renewRegion(renewal.region());
            case Step.RenewWindow renewal -> end.renewWindow(renewal.window());
            case Step.CloseQueuePair _ -> end.closeQueuePair();
            case Step.CreateQueuePair _ -> end.createQueuePair();
            case Step.Connect _ -> throw new IllegalArgumentException("written out before");
        }
        return Outcome.DONE;
    }

    @Override
    public State state() {
        int count = State.NUMBERS.size();
        int regions = Layout.REGIONS.size();
        var numbers = new int[2 * count];
        var memory = new byte[2 * regions][];
        for (Side side : Side.values()) {
            end(side).numbers(numbers, side.ordinal() * count);
            for (int i = 0; i < regions; i++) {
                memory[side.ordinal() * regions + i] = end(side).memory(i);
            }
        }
        return new State(numbers, memory);
    }

    @Override
    public boolean isAt(State expected) {
        var ends = List.of(left, right);
        // What costs no system call comes first: most looks find that the rings have not got there.
        return ends.stream().allMatch(end -> end.ringsAreAt(expected))
                && ends.stream().allMatch(end -> end.isAt(expected));
    }

    @Override
    public void pause(long nanos) {
        pause.accept(nanos);
    }

    @Override
    public void close() {
        try (
                RxeEnd _ = left;
                RxeEnd _ = right) {
            // Both are closed, also if one of them fails.
        }
    }
}
