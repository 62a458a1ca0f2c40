// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/// All that one end has: its queue pair, the queues behind it, its memory.
final class EndModel {
    /// A receive that waits.
    record Waiting(long id, ScatterModel buffers) {}

    final Side side;
    final Set<Quirk> quirks;
    QueueModel sends = new QueueModel(0);
    QueueModel receives = new QueueModel(0);
    final List<RegionModel> regions = new ArrayList<>();
    final List<WindowModel> windows = new ArrayList<>();
    private final int[] windowGenerations = new int[Layout.WINDOWS];

    /// Number of the queue pair at its end, from 1; and count of resets and creations.
    int queuePair = 1;
    int life = 1;
    boolean open = true;
    QueuePairState state = QueuePairState.RESET;

    /// Holds what the peer may do, and to which of the peer's queue pairs and lives it was connected.
    int rights;
    int peerQueuePair;
    int peerLife;

    /// Packets since the start of this life: sent, and taken from the peer's life.
    int sent;
    int taken;

    final Deque<Waiting> waiting = new ArrayDeque<>();
    private int sendsPosted;
    private int sendsDone;
    private int receivesPosted;
    private int receivesDone;

    EndModel(Side side, Set<Quirk> quirks) {
        this.side = side;
        this.quirks = quirks;
        for (int i = 0; i < Layout.REGIONS.size(); i++) {
            regions.add(new RegionModel(side, i, 1));
        }
        for (int i = 0; i < Layout.WINDOWS; i++) {
            windows.add(newWindow(i));
        }
    }

    RegionModel region(int number) {
        return regions.get(number);
    }

    WindowModel window(int number) {
        return windows.get(number);
    }

    QueueModel queue(Queue queue) {
        return queue == Queue.SENDS ? sends : receives;
    }

    boolean has(Quirk quirk) {
        return quirks.contains(quirk);
    }

    void renewQueue(Queue queue) {
        if (queue == Queue.SENDS) {
            sends = new QueueModel(sends.events());
        } else {
            receives = new QueueModel(receives.events());
        }
    }

    void renewRegion(int number) {
        regions.set(number, new RegionModel(side, number, region(number).generation + 1));
    }

    void renewWindow(int number) {
        windows.set(number, newWindow(number));
    }

    private WindowModel newWindow(int number) {
        return new WindowModel(side, number, ++windowGenerations[number]);
    }

    boolean hasBound(RegionModel region) {
        return windows.stream().anyMatch(window -> window.bound == region);
    }

    /// Returns whether the library closes windows with the queue pair: those of type 2 to be bound through it, because
    /// destroying a bound one takes 50 seconds on rxe.
    boolean closesWindows() {
        return windows.stream().anyMatch(window -> window.secondType && window.lastBinder == queuePair);
    }

    void create() {
        open = true;
        queuePair++;
        sendsPosted = sendsDone = 0;
        receivesPosted = receivesDone = 0;
        reset();
    }

    /// Drops what waits without a completion; the rings go on where they are.
    void reset() {
        state = QueuePairState.RESET;
        life++;
        sent = taken = 0;
        waiting.clear();
        receivesDone = receivesPosted;
        sendsDone = sendsPosted;
    }

    void close() {
        open = false;
        waiting.clear();
    }

    int freeReceives() {
        return Layout.capacity(Layout.RECEIVES) - waiting.size();
    }

    void postReceive(long id, List<Part> parts) {
        waiting.add(new Waiting(id, new ScatterModel(buffers(parts))));
        receivesPosted++;
    }

    List<ScatterModel.Buffer> buffers(List<Part> parts) {
        return parts.stream()
                .map(part -> new ScatterModel.Buffer(part, region(part.region()).generation))
                .toList();
    }

    /// The queue pair fails, or is moved to the error state: receives that wait are flushed.
    void fail() {
        state = QueuePairState.ERR;
        flushReceives();
    }

    void flushReceives() {
        while (!waiting.isEmpty()) {
            failReceive(
                    CompletionStatus.WORK_REQUEST_FLUSHED,
                    !has(Quirk.FLUSHED_RECEIVES_ARE_NOT_SOLICITED));
        }
    }

    void failReceive(CompletionStatus status, boolean solicited) {
        completeReceive(
                new WalkCompletion(waiting.element().id(), queuePair, status.value(), 0, 0, false, false, 0, ""),
                solicited);
    }

    void completeReceive(WalkCompletion completion, boolean solicited) {
        waiting.remove();
        receivesDone++;
        receives.add(completion, solicited);
    }

    void postSend() {
        sendsPosted++;
    }

    /// A send is over.
    void completeSend(long id, SendRequest request, CompletionStatus status) {
        sendsDone++;
        if (!status.equals(CompletionStatus.SUCCESS)) {
            sends.add(
                    new WalkCompletion(id, queuePair, status.value(), 0, 0, false, false, 0, ""),
                    !has(Quirk.FAILURES_ARE_NOT_SOLICITED));
        } else if (request.signaled()) {
            var operation = request.operation();
            int bytes = operation == Operation.ATOMIC_WRITE ? Long.BYTES : operation.isLocal() ? 0 : request.length();
            sends.add(
                    new WalkCompletion(
                            id,
                            queuePair,
                            0,
                            operation.completion,
                            bytes,
                            false,
                            operation.hasImmediate() && has(Quirk.SENDS_CLAIM_IMMEDIATE_DATA),
                            0,
                            ""),
                    false);
        }
    }

    int[] numbers() {
        int sendMask = Layout.capacity(Layout.SENDS);
        int receiveMask = Layout.capacity(Layout.RECEIVES);
        int[] sendNumbers = sends.numbers();
        int[] receiveNumbers = receives.numbers();
        return new int[]{
                open ? state.value() : State.CLOSED,
                open ? sendsPosted & sendMask : State.CLOSED,
                open ? sendsDone & sendMask : State.CLOSED,
                open ? receivesPosted & receiveMask : State.CLOSED,
                open ? receivesDone & receiveMask : State.CLOSED,
                sendNumbers[0],
                sendNumbers[1],
                sendNumbers[2],
                receiveNumbers[0],
                receiveNumbers[1],
                receiveNumbers[2]
        };
    }
}
