// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.roce.DamagedPacketException;
import io.verbs4j.roce.Icrc;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.simulator.engine.Clock;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.CRC32;

/// A simulated queue pair whose peer is the test: the test receives its packets, and sends it any packets. The lines
/// list packets, completions, events and states.
final class Bench implements Wire, AutoCloseable {
    /// Number of the queue pair at the other end.
    static final int PEER = 0x1234;
    static final int QKEY = 0x1111_1111;
    static final int MTU = 256;
    static final int SIZE = 2 * 4096;
    /// Number of elements of a work request.
    static final int ELEMENTS = 3;
    /// Work requests that a ring takes.
    static final int DEPTH = 15;

    /// First address of each region in work requests. It differs from the address in this process.
    static final long IOVA = 0x7_0000;

    /// Groups of receivers.
    static final Address[] GROUPS = {Address.ipv4(0xe000_0001), new Address(0xff12L << 48, 0x99)};

    final List<String> lines = new ArrayList<>();
    final Simulation simulation = new Simulation(Clock.VIRTUAL);
    final RxeDevice device;
    final Address here;
    final Address there;
    final Domain domain = new Domain();
    final CompletionQueue sendQueue;
    final CompletionQueue receiveQueue;
    final QueuePair pair;
    final SharedReceives shared;
    final Region open;
    final Region readOnly;
    final Region foreign;
    final Region onDemand;
    final Region untracked;
    final Region freed;
    final Window one;
    final Window two;
    final RxeDevice.Handle handle;
    /// Whether the wire accepts packets.
    boolean connected = true;
    /// Longest packet that the wire carries, from its IP header on.
    int longest = 1500;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(5L * SIZE, 4096);

    /// @param signalAll whether each send completes, too
    Bench(KernelProfile kernel, QueuePairType type, boolean sharesReceives, boolean ipv6, boolean signalAll) {
        device = new RxeDevice(simulation, kernel, this, new SplittableRandom(5));
        here = ipv6 ? new Address(0xfe80L << 48, 0x11) : Address.ipv4(0x0a09_0001);
        there = ipv6 ? new Address(0xfe80L << 48, 0x22) : Address.ipv4(0x0a09_0002);
        for (int i = 0; i < memory.byteSize(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
        }
        int all = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC,
                Access.MEMORY_WINDOW_BIND, Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);
        open = region(domain, 0, all);
        readOnly = region(domain, 1, Access.REMOTE_READ.value() | Access.MEMORY_WINDOW_BIND.value());
        foreign = region(new Domain(), 2, all);
        onDemand = region(domain, 3, all | Access.ON_DEMAND.value());
        untracked = device.register(domain, memory.address() + 4L * SIZE, SIZE, IOVA, all);
        try (Arena gone = Arena.ofShared()) {
            MemorySegment segment = gone.allocate(SIZE, 4096);
            freed = device.register(domain, segment.address(), SIZE, IOVA, all);
            freed.attach(segment);
        }
        one = device.window(domain, 1);
        two = device.window(domain, 2);
        handle = device.handle(domain, new Path(here, there, 1, 0x1_2345, 9, 0x44, 1));
        sendQueue = new CompletionQueue(DEPTH, listener("send queue"));
        receiveQueue = new CompletionQueue(DEPTH, listener("receive queue"));
        shared = sharesReceives
                ? device.sharedReceives(DEPTH, ELEMENTS, 2, () -> lines.add("! limit reached"))
                : null;
        pair = device.queuePair(new QueuePair.Shape(type, domain, sendQueue, receiveQueue, shared, DEPTH, ELEMENTS,
                2 * MTU + 10, DEPTH, ELEMENTS, signalAll, event -> lines.add("! " + event)));
        connect(0xff_fffa);
    }

    private Region region(Domain of, int index, int access) {
        MemorySegment segment = memory.asSlice((long) index * SIZE, SIZE);
        Region region = device.register(of, segment.address(), SIZE, IOVA, access);
        region.attach(segment);
        return region;
    }

    private CompletionQueue.Listener listener(String name) {
        return new CompletionQueue.Listener() {
            @Override
            public void completed() {
                lines.add("! " + name + " has a completion");
            }

            @Override
            public void failed(AsyncEventType event) {
                lines.add("! " + name + " " + event);
            }
        };
    }

    /// Moves the queue pair from any state to RTS.
    void connect(int psn) {
        simulation.run(() -> {
            pair.move(QueuePairState.RESET);
            pair.move(QueuePairState.INIT);
            pair.attributes().port = 1;
            pair.attributes().access = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC,
                    Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);
            pair.qkey(QKEY);
            pair.path(new Path(here, there, 1, 0, 64, 0x20, 1));
            pair.pathMtu(1);
            pair.attributes().destination = PEER;
            pair.attributes().rnrTimer = 14;
            pair.receivePsn(psn);
            pair.incomingReads(2);
            pair.move(QueuePairState.RTR);
            pair.sendPsn(psn - 1);
            pair.timeout(12);
            pair.retries(3);
            pair.rnrRetries(2);
            pair.reads(2);
            pair.move(QueuePairState.RTS);
        });
    }

    @Override
    public boolean send(RxeDevice sender, Packet packet) {
        if (connected) {
            lines.add("> " + text(packet));
        }
        return connected;
    }

    @Override
    public boolean carries(RxeDevice sender, Packet packet) {
        return PacketBytes.lengthWithIp(packet) <= longest;
    }

    @Override
    public boolean knows(RxeDevice sender, Address address) {
        return true;
    }

    /// Returns the number at an address of the region with a key; 0 if there is none.
    long word(int key, long address) {
        long start =
                key == open.key() ? 0 : key == onDemand.key() ? 3L * SIZE : key == untracked.key() ? 4L * SIZE : -1;
        return start < 0 ? 0 : memory.get(ValueLayout.JAVA_LONG_UNALIGNED, start + address - IOVA);
    }

    /// Decodes a packet by the codec of roce.
    private String text(Packet packet) {
        byte[] bytes = PacketBytes.of(packet, device);
        int ip = packet.source().isIpv4() ? 20 : 40;
        int transport = ip + 8;
        try {
            RoceV2Packet decoded = RoceV2Packet.parse(bytes, transport, bytes.length - transport);
            boolean intact = Icrc.compute(bytes, 0, transport, bytes.length - 4) == decoded.icrc();
            return HexFormat.of().formatHex(bytes, 0, transport) + " " + decoded + " " + sum(decoded.payload())
                    + (intact ? "" : " wrong CRC");
        } catch (DamagedPacketException e) {
            throw new AssertionError(e);
        }
    }

    static String sum(byte[] bytes) {
        var sum = new CRC32();
        sum.update(bytes);
        return bytes.length + " bytes " + Long.toHexString(sum.getValue());
    }

    /// Returns a packet from the peer.
    Packet packet(int opcode, int psn) {
        var packet = new Packet(opcode, new Path(there, here, 0, 0, 64, 0x20, 1), device);
        packet.sourcePort = 0xc001;
        packet.queuePair = pair.number();
        packet.psn = psn & Packet.PSN_MASK;
        packet.qkey = QKEY;
        packet.sourceQueuePair = PEER;
        packet.asksForAcknowledgement = packet.is(Opcode.END);
        return packet;
    }

    void arrive(Packet packet) {
        lines.add("< " + text(packet));
        simulation.run(() -> device.receive(packet));
    }

    /// Returns memory of a ring's element for the program, at an index.
    private static MemorySegment element(Ring ring, int index) {
        CView head = Formats.QUEUE.view(ring.memory());
        int size = 1 << head.getInt("log2_elem_size");
        int at = index & head.getInt("index_mask");
        return ring.memory().asSlice(Formats.QUEUE.offset("data") + (long) at * size, size);
    }

    private static boolean hasRoom(Ring ring) {
        CView head = Formats.QUEUE.view(ring.memory());
        int used = head.getInt("producer_index") - head.getInt("consumer_index") & head.getInt("index_mask");
        return used < head.getInt("index_mask");
    }

    private static void publish(Ring ring) {
        CView head = Formats.QUEUE.view(ring.memory());
        head.set("producer_index", head.getInt("producer_index") + 1 & head.getInt("index_mask"));
    }

    /// An element of a work request.
    record Element(long address, int length, int key) {}

    private static int write(MemorySegment request, CStruct struct, int count, List<Element> elements) {
        int length = elements.stream().mapToInt(Element::length).sum();
        CView view = struct.view(request);
        view.set("dma.length", length).set("dma.resid", length).set("dma.num_sge", count);
        long at = struct.size();
        for (Element element : elements) {
            Formats.ELEMENT
                    .view(request.asSlice(at))
                    .set("addr", element.address)
                    .set("length", element.length)
                    .set("lkey", element.key);
            at += Formats.ELEMENT.size();
        }
        return length;
    }

    /// Posts a receive, if there is room.
    ///
    /// @param count number of elements that it claims to have
    void receive(long id, int count, List<Element> elements) {
        Ring ring = shared == null ? pair.receives() : shared.ring();
        if (hasRoom(ring)) {
            int index = Formats.QUEUE.view(ring.memory()).getInt("producer_index");
            MemorySegment element = element(ring, index);
            Formats.RECEIVE.zeroed(element).set("wr_id", id);
            write(element, Formats.RECEIVE, count, elements);
            publish(ring);
        }
    }

    /// A send: writes its fields, after its elements.
    interface Send {
        void write(CView request, MemorySegment payload);
    }

    /// Posts a send, if there is room, and rings the doorbell.
    void send(long id, int opcode, int flags, int count, List<Element> elements, Send send) {
        Ring ring = pair.sends();
        if (!hasRoom(ring)) {
            return;
        }
        int index = Formats.QUEUE.view(ring.memory()).getInt("producer_index");
        MemorySegment element = element(ring, index);
        CView request = Formats.SEND.zeroed(element)
                .set("wr.wr_id", id)
                .set("wr.opcode", opcode)
                .set("wr.send_flags", flags);
        write(element, Formats.SEND, count, elements);
        send.write(request, element.asSlice(Formats.SEND.size()));
        publish(ring);
        lines.add("send " + id + " opcode " + opcode + " flags " + flags + " " + request.getInt("dma.length"));
        if (pair.state().compareTo(QueuePairState.RTS) >= 0) {
            simulation.run(pair::ring);
        }
    }

    /// Takes all completions.
    void poll() {
        poll("sent", sendQueue);
        poll("received", receiveQueue);
    }

    private void poll(String name, CompletionQueue queue) {
        CView head = Formats.QUEUE.view(queue.ring().memory());
        while (head.getInt("consumer_index") != head.getInt("producer_index")) {
            CView view = Formats.COMPLETION.view(element(queue.ring(), head.getInt("consumer_index")));
            var line = new StringBuilder(name);
            for (CStruct.Field field : Formats.COMPLETION.fields()) {
                if (field.isNumber() && view.get(field.path()) != 0) {
                    line.append(' ').append(field.path()).append(' ').append(view.get(field.path()));
                }
            }
            lines.add(line.toString());
            head.set("consumer_index", head.getInt("consumer_index") + 1 & head.getInt("index_mask"));
        }
    }

    /// Adds the state of the queue pair, the device and the memory.
    void look() {
        var counters = new TreeMap<Counter, Long>();
        for (Counter counter : Counter.values()) {
            if (device.counted(counter) != 0) {
                counters.put(counter, device.counted(counter));
            }
        }
        lines.add("= " + pair.state() + " " + pair.sendPsn() + " " + pair.receivePsn() + " " + pair.sends().waiting()
                + " " + (shared == null ? pair.receives().waiting() : shared.waiting() + " limit " + shared.limit())
                + (pair.isDraining() ? " draining " : " ") + counters + " " + device.wrongQkeys() + " "
                + open.windows() + " " + readOnly.windows() + " " + sum(memory.toArray(ValueLayout.JAVA_BYTE)));
    }

    @Override
    public void close() {
        simulation.run(() -> device.remove(pair));
        simulation.close();
        arena.close();
    }
}
