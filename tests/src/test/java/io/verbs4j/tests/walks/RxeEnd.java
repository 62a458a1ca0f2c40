// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.AsyncEvent;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.FlushType;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One end of a walk on rxe, driven through the public API.
final class RxeEnd implements AutoCloseable {
    /// Spoils a key: no key of the same object has these bits of its lowest byte changed before 64 binds.
    static final int WRONG = 0x40;

    /// Places of the ring indices among [State#NUMBERS].
    private static final int[] RINGS = {1, 2, 3, 4, 5, 6, 8, 9};

    static final boolean ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    private final Side side;
    private final DevicePair pair;
    private final int timeout;
    private final Context context;
    private final ProtectionDomain domain;
    private final CompletionChannel[] channels = new CompletionChannel[2];
    private final CompletionQueue[] queues = new CompletionQueue[2];
    private final int[] events = new int[2];
    private final List<MemoryRegion> regions = new ArrayList<>();
    private final List<MemoryWindow> windows = new ArrayList<>();
    private final int[] windowGenerations = new int[Layout.WINDOWS];
    private final int[] windowRegions = new int[Layout.WINDOWS];
    private final int[] windowBinds = new int[Layout.WINDOWS];
    private final Map<Integer, Integer> queuePairNumbers = new HashMap<>();

    /// Names of the window keys that the peer has seen.
    private final Map<Integer, String> keyNames = new HashMap<>();

    private final int[] looked = new int[State.NUMBERS.size()];

    private QueuePair queuePair;
    private int life = 1;

    /// The kernel's last answer about the queue pair.
    private @Nullable QueuePairAttributes answer;

    /// Opens the side's device.
    RxeEnd(Side side, boolean patient, DevicePair pair) {
        this.side = side;
        this.pair = pair;
        this.timeout = patient ? Layout.PATIENT_TIMEOUT : Layout.TIMEOUT;
        this.context = pair.device(side).open();
        try {
            domain = context.allocateProtectionDomain();
            for (Queue queue : Queue.values()) {
                channels[queue.ordinal()] = context.createCompletionChannel();
                queues[queue.ordinal()] = newQueue(queue);
            }
            for (int i = 0; i < Layout.REGIONS.size(); i++) {
                regions.add(newRegion(i));
            }
            for (int i = 0; i < Layout.WINDOWS; i++) {
                windows.add(newWindow(i));
            }
            queuePair = newQueuePair();
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    private CompletionQueue newQueue(Queue queue) {
        return context.createCompletionQueue(
                CompletionQueueOptions.entries(Layout.COMPLETIONS).withChannel(channels[queue.ordinal()]));
    }

    private MemoryRegion newRegion(int number) {
        var made = domain.allocate(
                Layout.REGIONS.get(number).bytes(),
                Access.of(Layout.knownHere(Layout.REGIONS.get(number).rights())).toArray(Access[]::new));
        made.segment().copyFrom(MemorySegment.ofArray(Layout.content(side, number)));
        return made;
    }

    private MemoryWindow newWindow(int number) {
        windowGenerations[number]++;
        windowRegions[number] = 0;
        windowBinds[number] = 0;
        return domain.allocateMemoryWindow(number == 0 ? MemoryWindow.Type.TYPE_1 : MemoryWindow.Type.TYPE_2);
    }

    private QueuePair newQueuePair() {
        var made = domain.reliableConnection(queues[Queue.SENDS.ordinal()])
                .receiveCompletionQueue(queues[Queue.RECEIVES.ordinal()])
                .maxSends(Layout.SENDS)
                .maxReceives(Layout.RECEIVES)
                .maxSendScatterGather(Layout.ELEMENTS)
                .maxReceiveScatterGather(Layout.ELEMENTS)
                .maxInlineData(Layout.INLINE)
                .create();
        queuePairNumbers.put(made.number(), queuePairNumbers.size() + 1);
        return made;
    }

    private CompletionQueue queue(Queue queue) {
        return queues[queue.ordinal()];
    }

    void modify(Step.Modify modify, RxeEnd peer) {
        queuePair.modify(attributes(modify, peer));
        if (modify.state() == QueuePairState.RESET) {
            life++;
        }
    }

    private QueuePairAttributes attributes(Step.Modify modify, RxeEnd peer) {
        var attributes = QueuePairAttributes.builder().state(modify.state());
        if (modify.attributes() == Step.Attributes.FOREIGN) {
            attributes.qkey(0x1234); // of datagrams
        }
        if (modify.attributes() == Step.Attributes.MISSING) {
            return attributes.build();
        }
        switch (modify.state()) {
            case INIT -> attributes.pkeyIndex(0).port(1).accessFlags(Layout.knownHere(modify.rights()));
            case RTR -> attributes.addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, pair.gid(side.peer())))
                    .pathMtu(Mtu.MTU_1024)
                    .destinationQueuePairNumber(peer.queuePair.number())
                    .receivePsn(Layout.packetSequenceNumber(peer.side, peer.life))
                    .maxDestinationReadAtomic(16)
                    .minRnrTimer(1);
            case RTS -> attributes.sendPsn(Layout.packetSequenceNumber(side, life))
                    .timeout(timeout)
                    .retryCount(Layout.RETRIES)
                    .rnrRetry(0)
                    .maxReadAtomic(16);
            default -> {
                // needs no more
            }
        }
        return attributes.build();
    }

    int send(int index, List<SendRequest> requests, RxeEnd peer) {
        int[] regionsBefore = windowRegions.clone();
        int[] bindsBefore = windowBinds.clone();
        try (SendBatch batch = queuePair.beginSend()) {
            for (int i = 0; i < requests.size(); i++) {
                if (!add(batch, WalkDevice.id(index, i), requests.get(i), peer)) {
                    break;
                }
            }
            return batch.submit();
        } catch (IllegalArgumentException e) {
            // The batch is abandoned, and with it what it would have bound.
            System.arraycopy(regionsBefore, 0, windowRegions, 0, Layout.WINDOWS);
            System.arraycopy(bindsBefore, 0, windowBinds, 0, Layout.WINDOWS);
            throw e;
        }
    }

    private boolean add(SendBatch batch, long id, SendRequest request, RxeEnd peer) {
        batch.workRequestId(id);
        if (request.signaled()) {
            batch.signaled();
        }
        if (request.solicited()) {
            batch.solicited();
        }
        if (request.fenced()) {
            batch.fence();
        }
        Target target = request.target();
        return switch (request.operation()) {
            case SEND -> request.inline()
                    ? batch.send().inline(source(request)).post()
                    : batch.send().local(list(request.parts())).post();
            case SEND_WITH_IMMEDIATE -> request.inline()
                    ? batch.send().immediate(request.value()).inline(source(request)).post()
                    : batch.send().immediate(request.value()).local(list(request.parts())).post();
            case SEND_WITH_INVALIDATE -> request.inline()
                    ? batch.send().invalidating(peer.key(target)).inline(source(request)).post()
                    : batch.send().invalidating(peer.key(target)).local(list(request.parts())).post();
            case RDMA_WRITE -> request.inline()
                    ? batch.write().inline(source(request)).remote(peer.remote(target, request.length())).post()
                    : batch.write().local(list(request.parts())).remote(peer.remote(target, request.length())).post();
            case RDMA_WRITE_WITH_IMMEDIATE -> request.inline()
                    ? batch.write()
                            .immediate(request.value())
                            .inline(source(request))
                            .remote(peer.remote(target, request.length()))
                            .post()
                    : batch.write()
                            .immediate(request.value())
                            .local(list(request.parts()))
                            .remote(peer.remote(target, request.length()))
                            .post();
            case RDMA_READ -> batch.read()
                    .local(list(request.parts()))
                    .remote(peer.remote(target, request.length()))
                    .post();
            case COMPARE_AND_SWAP -> {
                Part part = request.parts().getFirst();
                yield batch.compareAndSwap(request.expected(), request.value())
                        .local(regions.get(part.region()), part.offset(), Long.BYTES)
                        .remote(peer.remote(target, Long.BYTES))
                        .post();
            }
            case FETCH_AND_ADD -> {
                Part part = request.parts().getFirst();
                yield batch.fetchAndAdd(request.value())
                        .local(regions.get(part.region()), part.offset(), Long.BYTES)
                        .remote(peer.remote(target, Long.BYTES))
                        .post();
            }
            case ATOMIC_WRITE -> batch.atomicWrite(request.value()).remote(peer.remote(target, Long.BYTES)).post();
            case FLUSH -> batch.flush(FlushType.GLOBAL_VISIBILITY, request.flushLevel())
                    .remote(peer.remote(target, request.length()))
                    .post();
            case LOCAL_INVALIDATE -> batch.invalidate(key(target)).post();
            case BIND -> {
                Part part = request.parts().getFirst();
                int window = target.number();
                boolean posted = batch.bind(windows.get(window), request.value())
                        .local(regions.get(part.region()), part.offset(), part.length())
                        .post();
                windowRegions[window] = part.region();
                windowBinds[window]++;
                yield posted;
            }
        };
    }

    private MemorySegment source(SendRequest request) {
        Part part = request.parts().getFirst();
        return regions.get(part.region()).segment().asSlice(part.offset(), part.length());
    }

    private ScatterGatherList list(List<Part> parts) {
        var list = new ScatterGatherList();
        for (Part part : parts) {
            MemoryRegion region = regions.get(part.region());
            list.add(
                    region.address() + part.offset(),
                    part.length(),
                    part.wrongKey() ? region.localKey() ^ WRONG : region.localKey());
        }
        return list;
    }

    /// A key of this end, as the peer gets to know it.
    private int key(Target target) {
        int key = target.window()
                ? windows.get(target.number()).remoteKey()
                : regions.get(target.number()).remoteKey();
        if (target.window()) {
            keyNames.put(
                    key,
                    side.text() + " window " + target.number() + " number " + windowGenerations[target.number()]
                            + " key "
                            + windowBinds[target.number()]);
        }
        return target.wrongKey() ? key ^ WRONG : key;
    }

    private RemoteMemory remote(Target target, int length) {
        int region = target.window() ? windowRegions[target.number()] : target.number();
        return new RemoteMemory(regions.get(region).address() + target.offset(), length, key(target));
    }

    int receive(int index, List<List<Part>> receives) {
        try (var batch = queuePair.beginReceive()) {
            for (int i = 0; i < receives.size(); i++) {
                // One that finds the queue full is left out; it is checked all the same, and so is the next.
                batch.workRequestId(WalkDevice.id(index, i)).receive(list(receives.get(i)));
            }
            return batch.submit();
        }
    }

    List<WalkCompletion> poll(Queue queue, int max) {
        var taken = new ArrayList<WalkCompletion>();
        queue(queue).poll(max, completion -> taken.add(completion(completion)));
        return taken;
    }

    private WalkCompletion completion(WorkCompletion completion) {
        return new WalkCompletion(
                completion.workRequestId(),
                queuePairNumbers.getOrDefault(completion.queuePairNumber(), 0),
                completion.statusCode(),
                completion.opcode(),
                completion.byteLength(),
                completion.hasGlobalRouteHeader(),
                completion.hasImmediateData(),
                completion.hasImmediateData() ? completion.immediateData() : 0,
                completion.hasInvalidatedKey()
                        ? keyNames.getOrDefault(
                                completion.invalidatedKey(),
                                "unknown key " + Integer.toHexString(completion.invalidatedKey()))
                        : "");
    }

    void arm(Queue queue, boolean solicitedOnly) {
        queue(queue).requestNotification(solicitedOnly);
    }

    void resize(Queue queue, int entries) {
        queue(queue).resize(entries);
    }

    void renewQueue(Queue queue) {
        queue(queue).close();
        queues[queue.ordinal()] = newQueue(queue);
    }

    void renewRegion(int number) {
        regions.get(number).close();
        regions.set(number, newRegion(number));
    }

    void renewWindow(int number) {
        windows.get(number).close();
        windows.set(number, newWindow(number));
    }

    void closeQueuePair() {
        queuePair.close();
    }

    void createQueuePair() {
        if (queuePair.isClosed()) {
            queuePair = newQueuePair();
            life++;
        }
    }

    /// The numbers of [State#NUMBERS].
    void numbers(int[] into, int from) {
        rings();
        others();
        System.arraycopy(looked, 0, into, from, looked.length);
    }

    private void rings() {
        boolean open = !queuePair.isClosed();
        indices(1, open ? queuePair.readSendRing() : Optional.empty());
        indices(3, open ? queuePair.readReceiveRing() : Optional.empty());
        indices(5, queue(Queue.SENDS).readRing());
        indices(8, queue(Queue.RECEIVES).readRing());
    }

    private void others() {
        looked[0] = queuePair.isClosed() ? State.CLOSED : queuePairState();
        looked[7] = events(Queue.SENDS);
        looked[10] = events(Queue.RECEIVES);
    }

    /// Returns whether the rings are where the model says, which takes no system call.
    boolean ringsAreAt(State expected) {
        rings();
        for (int i : RINGS) {
            if (looked[i] != expected.number(side, i)) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether all but the rings is as the model says.
    boolean isAt(State expected) {
        others();
        for (int i = 0; i < looked.length; i++) {
            if (looked[i] != expected.number(side, i)) {
                return false;
            }
        }
        for (int i = 0; i < regions.size(); i++) {
            if (regions.get(i).segment().mismatch(MemorySegment.ofArray(expected.region(side, i))) >= 0) {
                return false;
            }
        }
        return true;
    }

    private void indices(int at, Optional<RingReading> ring) {
        looked[at] = ring.isEmpty() ? State.CLOSED : ring.get().producerIndex();
        looked[at + 1] = ring.isEmpty() ? State.CLOSED : ring.get().consumerIndex();
    }

    private int queuePairState() {
        var now = queuePair.query();
        answer = now;
        return now.state().value() + (now.sendQueueDraining() ? State.DRAINING : 0);
    }

    private int events(Queue queue) {
        try {
            while (channels[queue.ordinal()].take(Duration.ZERO) != null) {
                events[queue.ordinal()]++;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        return events[queue.ordinal()];
    }

    /// Returns details that the model lacks: attributes of the queue pair that the kernel reported when the device was
    /// idle, and the sizes of the queues.
    String details() {
        var text = new StringBuilder();
        QueuePairAttributes answer = this.answer;
        if (!queuePair.isClosed() && answer != null) {
            text.append("state ")
                    .append(answer.currentState())
                    .append(", rights ")
                    .append(answer.accessFlags())
                    .append(", P_Key index ")
                    .append(answer.pkeyIndex())
                    .append(", port ")
                    .append(answer.port())
                    .append(", path MTU ")
                    .append(answer.pathMtu())
                    .append(", timeout ")
                    .append(answer.timeout())
                    .append(", retries ")
                    .append(answer.retryCount())
                    .append('+')
                    .append(answer.rnrRetry())
                    .append(", PSNs ")
                    .append(answer.receivePsn())
                    .append(' ')
                    .append(sendPsn(answer))
                    .append(", reads ")
                    .append(answer.maxReadAtomic())
                    .append('+')
                    .append(answer.maxDestinationReadAtomic())
                    .append(", RNR timer ")
                    .append(answer.minRnrTimer())
                    .append(", ")
                    .append(answer.capabilities())
                    .append(", ");
        }
        for (CompletionQueue queue : queues) {
            text.append("capacity ").append(queue.capacity()).append(' ');
        }
        return text.toString();
    }

    /// The progress of a failed request depends on timing if several processors work: the next packet may leave before
    /// the first is refused.
    private static String sendPsn(QueuePairAttributes answer) {
        boolean works = answer.state() == QueuePairState.RTS || answer.state() == QueuePairState.SQD;
        return works || ONE_PROCESSOR ? Integer.toString(answer.sendPsn()) : "of time";
    }

    /// Events that have happened since the last call, by what they are about.
    List<String> events() {
        var events = new ArrayList<String>();
        for (AsyncEvent event; (event = context.asyncEvents().poll()) != null;) {
            var object = event.object();
            events.add(event.type() + (object == null ? "" : " of a " + object.getClass().getSimpleName()));
        }
        return events;
    }

    byte[] memory(int region) {
        return regions.get(region).segment().toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        context.close();
    }
}
