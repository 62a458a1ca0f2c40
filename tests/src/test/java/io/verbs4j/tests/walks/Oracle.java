// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The model. It computes the outcome of each step without a device.
///
/// It also determines which steps have a certain outcome ([#admit]). Where the specification or the kernel's threads
/// leave an order open, a step is shortened or omitted.
final class Oracle implements WalkDevice {
    /// The compare-and-swap compares with what is there.
    static final long MATCHING = -1;

    private final boolean patient;
    private final EndModel left;
    private final EndModel right;

    /// True if something went to a peer that did not answer: that takes half a second, so a walk does it once.
    private boolean unanswered;

    Oracle(boolean patient, Set<Quirk> quirks) {
        this.patient = patient;
        this.left = new EndModel(Side.LEFT, quirks);
        this.right = new EndModel(Side.RIGHT, quirks);
    }

    EndModel end(Side side) {
        return side == Side.LEFT ? left : right;
    }

    /// The step as it can be taken now; null if not at all.
    @Nullable
    Step admit(Step step) {
        EndModel end = end(step.side());
        return switch (step) {
            case Step.Send send -> admitSends(end, send);
            case Step.Receive receive -> !end.open
                    || end.receives.waiting() + end.waiting.size() + receive.receives().size()
                            <= end.receives.capacity() ? step : null;
            case Step.Resize resize -> admitResize(end, resize);
            case Step.RenewRegion renewal -> end.hasBound(end.region(renewal.region())) ? null : step;
            case Step.CloseQueuePair _ -> end.open && end.closesWindows() ? null : step;
            case Step.Modify _,Step.Poll _,Step.Arm _,Step.RenewQueue _,Step.RenewWindow _,Step.CreateQueuePair _ ->
                step;
            case Step.Connect _ -> throw new IllegalArgumentException("written out before");
        };
    }

    /// A queue that is too small for what is under way loses completions.
    private static @Nullable Step admitResize(EndModel end, Step.Resize resize) {
        QueueModel queue = end.queue(resize.queue());
        int needed = queue.waiting() + (resize.queue() == Queue.RECEIVES ? end.waiting.size() : 0);
        return resize.entries() >= needed || resize.entries() < queue.waiting() ? resize : null;
    }

    private @Nullable Step admitSends(EndModel end, Step.Send send) {
        if (!end.open || !Conversation.sends(end.state)) {
            return send; // refused
        }
        EndModel peer = end(send.side().peer());
        if (end.state == QueuePairState.SQD) {
            return null; // they would go out some time after the next doorbell in RTS
        }
        boolean answered = end.state == QueuePairState.ERR || Conversation.reaches(end, peer);
        if (!answered && (patient || unanswered)) {
            return null;
        }
        var requests = new ArrayList<SendRequest>();
        var fetched = new ArrayList<Part>();
        for (SendRequest each : send.requests()) {
            SendRequest request = certain(each, peer, fetched);
            boolean stops =
                    stopsTheMachine(request, end, peer) || requests.stream().anyMatch(request::invalidatesAgain);
            if (stops || isRefused(request, end) || request.operation().isRecent() && !patient) {
                continue;
            }
            boolean failsHere = failsHere(end, request);
            // What fails here ends the queue pair at once, while it is open whether what went out before was answered.
            if (!requests.isEmpty() && (failsHere || request.operation() == Operation.BIND)) {
                break;
            }
            // The packets before the one that fails would be on their way.
            if (failsHere && request.length() > Layout.MTU) {
                continue;
            }
            boolean failsByItsAnswer = request.operation().fetches() && !fits(end, request);
            // The peer would still be answering while it is reset: rxe then goes on with that in its next connection.
            if (failsByItsAnswer && request.length() > Layout.MTU) {
                continue;
            }
            if (holdsFencesUp(request) && requests.stream().anyMatch(earlier -> needsItsFence(earlier, fetched))) {
                break;
            }
            requests.add(request);
            if (request.operation().fetches()) {
                fetched.addAll(request.parts());
            }
            if (failsByItsAnswer) {
                break; // what follows may be done when the answer comes, or not
            }
            if (request.operation() == Operation.LOCAL_INVALIDATE
                    || patient && request.operation() == Operation.SEND_WITH_INVALIDATE) {
                break;
            }
        }
        int room = end.sends.capacity() - end.sends.waiting();
        if (requests.isEmpty() || requests.size() > room) {
            return null;
        }
        unanswered |= !answered;
        return new Step.Send(send.side(), answered ? withoutEndlessFences(requests) : withoutFences(requests));
    }

    /// rxe waits indefinitely with a fenced request that it repeats while a read is outstanding, be it the request
    /// itself or a later one. It may repeat any request at any time: its timer may run since an earlier packet, even of
    /// a former connection.
    private static List<SendRequest> withoutEndlessFences(List<SendRequest> requests) {
        int last = requests.size() - 1;
        while (last >= 0 && !holdsFencesUp(requests.get(last))) {
            last--;
        }
        var certain = new ArrayList<>(withoutFences(requests.subList(0, last + 1)));
        certain.addAll(requests.subList(last + 1, requests.size()));
        return certain;
    }

    private static List<SendRequest> withoutFences(List<SendRequest> requests) {
        return requests.stream().map(request -> request.fenced(false)).toList();
    }

    /// Returns whether a fence waits for it.
    private static boolean holdsFencesUp(SendRequest request) {
        return request.operation().fetches() || request.operation() == Operation.ATOMIC_WRITE;
    }

    private static SendRequest certain(SendRequest request, EndModel peer, List<Part> fetched) {
        SendRequest certain = request;
        if (request.operation() == Operation.COMPARE_AND_SWAP && request.expected() == MATCHING) {
            certain = new SendRequest(
                    request.operation(),
                    request.signaled(),
                    request.solicited(),
                    request.fenced(),
                    request.inline(),
                    request.parts(),
                    request.target(),
                    request.value(),
                    present(peer, request.target()));
        }
        return needsItsFence(certain, fetched) ? certain.fenced(true) : certain;
    }

    /// Returns whether it sends what an earlier read of its batch brings.
    private static boolean needsItsFence(SendRequest request, List<Part> fetched) {
        return request.operation().carries
                && !request.inline()
                && request.parts().stream().anyMatch(part -> fetched.stream().anyMatch(part::overlaps));
    }

    private static long present(EndModel peer, Target target) {
        RegionModel region = peer.region(
                target.window() ? peer.window(target.number()).lastRegion : target.number());
        return region.holds(target.offset(), Long.BYTES)
                ? ByteBuffer.wrap(region.bytes).order(ByteOrder.nativeOrder()).getLong(target.offset())
                : 0;
    }

    /// Returns whether the library refuses it.
    private static boolean isRefused(SendRequest request, EndModel end) {
        if (request.operation() != Operation.BIND) {
            return false;
        }
        Part part = request.parts().getFirst();
        return !end.window(request.target().number())
                .isPosted(end.region(part.region()), part.length(), request.value());
    }

    /// rxe follows a null pointer when the key of an unbound window of type 2 is invalidated (`rxe_do_invalidate_mw`,
    /// rxe_mw.c).
    private static boolean stopsTheMachine(SendRequest request, EndModel end, EndModel peer) {
        Target target = request.target();
        EndModel owner = switch (request.operation()) {
            case LOCAL_INVALIDATE -> end;
            case SEND_WITH_INVALIDATE -> peer;
            default -> null;
        };
        return owner != null
                && target.window()
                && !target.wrongKey()
                && owner.window(target.number()).secondType
                && !owner.window(target.number()).valid;
    }

    private static boolean failsHere(EndModel end, SendRequest request) {
        var buffers = new ScatterModel(end.buffers(request.parts()));
        int length = request.length();
        return request.operation().carries
                && !request.inline()
                && !buffers.gather(end, new byte[length], 0, length);
    }

    private static boolean fits(EndModel end, SendRequest request) {
        return request.parts()
                .stream()
                .noneMatch(part -> part.length() > 0
                        && (part.wrongKey()
                                || !end.region(part.region()).grants(Access.LOCAL_WRITE.value())
                                || !end.region(part.region()).holds(part.offset(), part.length())));
    }

    @Override
    public Outcome perform(int index, Step step) {
        EndModel end = end(step.side());
        return switch (step) {
            case Step.Modify modify -> Transitions.perform(end, end(step.side().peer()), modify);
            case Step.Send send -> send(end, index, send.requests());
            case Step.Receive receive -> receive(end, index, receive.receives());
            case Step.Poll poll -> Outcome.completions(end.queue(poll.queue()).poll(poll.max()));
            case Step.Arm arm -> {
                end.queue(arm.queue()).arm(arm.solicitedOnly());
                yield Outcome.DONE;
            }
            case Step.Resize resize -> resize(end.queue(resize.queue()), resize.entries());
            case Step.RenewQueue renewal -> {
                if (end.open) {
                    yield Outcome.refusedByLibrary(IllegalStateException.class);
                }
                end.renewQueue(renewal.queue());
                yield Outcome.DONE;
            }
            case Step.RenewRegion renewal -> {
                end.renewRegion(renewal.region());
                yield Outcome.DONE;
            }
            case Step.RenewWindow renewal -> {
                end.renewWindow(renewal.window());
                yield Outcome.DONE;
            }
            case Step.CloseQueuePair _ -> {
                end.close();
                yield Outcome.DONE;
            }
            case Step.CreateQueuePair _ -> {
                if (!end.open) {
                    end.create();
                }
                yield Outcome.DONE;
            }
            case Step.Connect _ -> throw new IllegalArgumentException("written out before");
        };
    }

    private static Outcome resize(QueueModel queue, int entries) {
        if (entries == 0) {
            return Outcome.refusedByLibrary(IllegalArgumentException.class);
        }
        if (entries < queue.waiting()) {
            return Outcome.refused(Errno.EINVAL);
        }
        queue.resize(entries);
        return Outcome.DONE;
    }

    private static Outcome receive(EndModel end, int index, List<List<Part>> receives) {
        if (!end.open || end.state == QueuePairState.RESET) {
            return Outcome.refusedByLibrary(IllegalStateException.class);
        }
        if (receives.stream().anyMatch(parts -> parts.size() > Layout.ELEMENTS)) {
            return Outcome.refusedByLibrary(IllegalArgumentException.class);
        }
        int posted = Math.min(receives.size(), end.freeReceives());
        for (int i = 0; i < posted; i++) {
            end.postReceive(WalkDevice.id(index, i), receives.get(i));
        }
        if (end.state == QueuePairState.ERR) {
            end.flushReceives();
        }
        return Outcome.posted(posted);
    }

    private Outcome send(EndModel end, int index, List<SendRequest> requests) {
        if (!end.open || !Conversation.sends(end.state)) {
            return Outcome.refusedByLibrary(IllegalStateException.class);
        }
        for (SendRequest request : requests) {
            var refusal = refusal(end, request);
            if (refusal != null) {
                return refusal;
            }
        }
        EndModel peer = end(end.side.peer());
        // A request is copied, and a window gets its next key, before the first one starts.
        var copies = new ArrayList<byte @Nullable []>();
        for (SendRequest request : requests) {
            copies.add(request.inline() ? inlineBytes(end, request) : null);
            if (request.operation() == Operation.BIND) {
                WindowModel window = end.window(request.target().number());
                window.key++;
                window.lastBinder = end.queuePair;
                window.lastRegion = request.parts().getFirst().region();
            }
            end.postSend();
        }
        for (int i = 0; i < requests.size(); i++) {
            CompletionStatus status = end.state == QueuePairState.ERR
                    ? CompletionStatus.WORK_REQUEST_FLUSHED
                    : new Conversation(end, peer, requests.get(i), copies.get(i)).run();
            end.completeSend(WalkDevice.id(index, i), requests.get(i), status);
            boolean unnoticed = status.equals(CompletionStatus.RETRY_EXCEEDED)
                    && end.has(Quirk.WAITING_REQUESTS_OUTRUN_FAILURES);
            if (unnoticed && i + 1 < requests.size()) {
                Conversation.invalidate(end, requests.get(i + 1));
            }
        }
        return Outcome.posted(requests.size());
    }

    private static byte[] inlineBytes(EndModel end, SendRequest request) {
        var part = request.parts().getFirst();
        return Arrays.copyOfRange(
                end.region(part.region()).bytes, part.offset(), part.offset() + part.length());
    }

    /// Returns what the library refuses before anything is posted; null for what it posts.
    private static @Nullable Outcome refusal(EndModel end, SendRequest request) {
        boolean bad = request.inline() && request.length() > Layout.INLINE
                || !request.inline() && request.parts().size() > Layout.ELEMENTS
                || (request.operation().isAtomic() || request.operation() == Operation.ATOMIC_WRITE)
                        && request.target().offset() % Long.BYTES != 0;
        if (bad) {
            return Outcome.refusedByLibrary(IllegalArgumentException.class);
        }
        boolean unknown = request.operation().isRecent() && end.has(Quirk.NO_ATOMIC_WRITE_AND_NO_FLUSH);
        return unknown ? Outcome.refused(Errno.EOPNOTSUPP) : null;
    }

    /// The completions that came since this was asked last, of each queue, those of the left end first.
    List<List<WalkCompletion>> takeArrived() {
        return List.of(
                left.sends.takeArrived(),
                left.receives.takeArrived(),
                right.sends.takeArrived(),
                right.receives.takeArrived());
    }

    @Override
    public State state() {
        int count = State.NUMBERS.size();
        var numbers = new int[2 * count];
        System.arraycopy(left.numbers(), 0, numbers, 0, count);
        System.arraycopy(right.numbers(), 0, numbers, count, count);
        var memory = new byte[2 * Layout.REGIONS.size()][];
        for (int i = 0; i < memory.length; i++) {
            EndModel end = i < Layout.REGIONS.size() ? left : right;
            memory[i] = end.region(i % Layout.REGIONS.size()).bytes.clone();
        }
        return new State(numbers, memory);
    }

    @Override
    public void close() {
        // nothing is open
    }
}
