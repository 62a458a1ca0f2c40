// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.rxe.Bench.Element;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Uses the queue pair of a [Bench] at random, as its program and as its peer. Most requests and answers follow the
/// rules of the protocol; some deviate from them in one field.
final class RandomPeer {
    private static final int[] RECEIVE_LENGTHS = {0, 1, 40, 100, 256, 300, 600};
    private static final int[] SEND_LENGTHS = {0, 1, 7, 100, 256, 257, 512, 700};
    private static final int[] SYNDROMES = {0x00, 0x1f, 0x20, 0x2e, 0x40, 0x60, 0x60, 0x61, 0x62, 0x63, 0x64, 0x7f};
    private static final int MESSAGES = 8;

    private final Bench bench;
    private final Random random;
    private final QueuePairType type;
    private final int transport;
    private final List<Packet> earlier = new ArrayList<>();
    private long id;

    // The message that the peer is sending.
    private int kind;
    private int left;
    private boolean within;
    private boolean immediate;

    RandomPeer(Bench bench, long seed) {
        this.bench = bench;
        this.random = new Random(seed);
        this.type = bench.pair.shape().type();
        this.transport = type == QueuePairType.RC ? Opcode.RC : type == QueuePairType.UC ? Opcode.UC : Opcode.UD;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private int any(int... values) {
        return values[random.nextInt(values.length)];
    }

    private Address any(Address... values) {
        return values[random.nextInt(values.length)];
    }

    /// Takes one step as the peer that sends requests.
    void request() {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> receive();
            case 3 -> bench.poll();
            case 4 -> {
                if (!earlier.isEmpty()) {
                    bench.arrive(again(earlier.get(random.nextInt(earlier.size()))));
                }
            }
            case 5 -> environment();
            default -> {
                int before = bench.pair.receivePsn();
                Packet packet = next();
                boolean altered = chance(7);
                if (altered) {
                    packet = altered(packet);
                } else if (type == QueuePairType.UD && chance(20)) {
                    packet = toGroup(packet);
                }
                bench.arrive(packet);
                if (!altered && (type == QueuePairType.UD || bench.pair.receivePsn() != before)) {
                    remember(packet);
                }
            }
        }
        reconnect();
    }

    /// Connects the queue pair again after a failure, or when it waits for something that will not come.
    private void reconnect() {
        if (chance(bench.pair.state() == QueuePairState.ERR ? 60 : 4)) {
            bench.look();
            bench.poll();
            bench.connect(0xff_fff0 + random.nextInt(20));
            bench.lines.add("connected");
            within = false;
            earlier.clear();
        }
    }

    private void remember(Packet packet) {
        if (packet.is(Opcode.END)) {
            within = false;
        } else {
            within = true;
            left -= packet.payload.length;
        }
        earlier.add(packet);
        if (earlier.size() > MESSAGES) {
            earlier.removeFirst();
        }
    }

    private Element element(int length) {
        long address = Bench.IOVA + random.nextInt(Bench.SIZE - length);
        return switch (random.nextInt(250)) {
            case 0 -> new Element(address, length, bench.open.key() + 1);
            case 1 -> new Element(Bench.IOVA + Bench.SIZE - length + 1, length, bench.open.key());
            case 2 -> new Element(address, length, bench.readOnly.key());
            case 3 -> new Element(address, length, bench.foreign.key());
            case 4 -> new Element(address, length, bench.freed.key());
            case 5, 6 -> new Element(address, length, bench.onDemand.key());
            case 7, 8 -> new Element(address, length, bench.untracked.key());
            default -> new Element(address, length, bench.open.key());
        };
    }

    private void receive() {
        var elements = new ArrayList<Element>();
        int count = random.nextInt(Bench.ELEMENTS + 1);
        for (int i = 0; i < count; i++) {
            elements.add(element(any(RECEIVE_LENGTHS)));
        }
        bench.receive(id++, chance(2) ? Bench.ELEMENTS + 1 : count, elements);
    }

    /// Returns the next packet of the peer's message, or the first packet of another one.
    private Packet next() {
        if (!within) {
            kind = type == QueuePairType.RC ? random.nextInt(9)
                    : type == QueuePairType.UC ? random.nextInt(4) / 2 * 2
                            : 0;
            left = any(SEND_LENGTHS);
            immediate = chance(30);
        }
        boolean fits = left <= Bench.MTU;
        int opcode = switch (kind) {
            case 0, 1 -> send(fits);
            case 2, 3 -> write(fits);
            case 4 -> Opcode.READ_REQUEST;
            case 5 -> Opcode.COMPARE_SWAP;
            case 6 -> Opcode.FETCH_ADD;
            case 7 -> Opcode.FLUSH;
            default -> Opcode.ATOMIC_WRITE;
        };
        Packet packet = bench.packet(transport | opcode, bench.pair.receivePsn());
        packet.solicited = packet.is(Opcode.END) && chance(30);
        fill(packet, fits);
        return packet;
    }

    private int send(boolean fits) {
        boolean invalidates = kind == 1 && type == QueuePairType.RC;
        if (type == QueuePairType.UD) {
            return immediate ? Opcode.SEND_ONLY_IMMEDIATE : Opcode.SEND_ONLY;
        }
        if (!fits) {
            return within ? Opcode.SEND_MIDDLE : Opcode.SEND_FIRST;
        }
        return within
                ? invalidates ? Opcode.SEND_LAST_INVALIDATE
                        : immediate ? Opcode.SEND_LAST_IMMEDIATE : Opcode.SEND_LAST
                : invalidates ? Opcode.SEND_ONLY_INVALIDATE
                        : immediate ? Opcode.SEND_ONLY_IMMEDIATE : Opcode.SEND_ONLY;
    }

    private int write(boolean fits) {
        if (!fits) {
            return within ? Opcode.WRITE_MIDDLE : Opcode.WRITE_FIRST;
        }
        return within
                ? immediate ? Opcode.WRITE_LAST_IMMEDIATE : Opcode.WRITE_LAST
                : immediate ? Opcode.WRITE_ONLY_IMMEDIATE : Opcode.WRITE_ONLY;
    }

    private int key() {
        return switch (random.nextInt(40)) {
            case 0 -> bench.one.key();
            case 1 -> bench.two.key();
            case 2 -> bench.onDemand.key();
            case 3 -> bench.untracked.key();
            default -> bench.open.key();
        };
    }

    private void fill(Packet packet, boolean fits) {
        if (packet.is(Opcode.PAYLOAD)) {
            packet.payload = bytes(packet.is(Opcode.WRITES_ATOMICALLY) ? Long.BYTES
                    : type == QueuePairType.UD ? left : fits ? left : Bench.MTU);
        }
        if (packet.is(Opcode.RETH | Opcode.ATOMIC_ETH)) {
            boolean aligned = packet.is(Opcode.ATOMIC | Opcode.WRITES_ATOMICALLY);
            packet.key = key();
            packet.remoteAddress = aligned
                    ? Bench.IOVA + 8 * random.nextInt(4)
                    : Bench.IOVA + random.nextInt(Bench.SIZE - left + 1);
            packet.length = packet.is(Opcode.WRITES_ATOMICALLY) ? Long.BYTES : left;
            packet.compare = chance(60) ? bench.word(packet.key, packet.remoteAddress) : random.nextInt(3);
            packet.swapOrAdd = random.nextInt(3);
        }
        packet.flushType = any(1, 1, 1, 1, 2, 3);
        packet.flushLevel = random.nextInt(2);
        packet.data = packet.is(Opcode.INVALIDATES)
                ? chance(50) ? bench.two.key() : any(bench.one.key(), bench.open.key(), bench.two.key() + 1)
                : random.nextInt();
    }

    private byte[] bytes(int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /// Returns a packet that deviates from the rules.
    private Packet altered(Packet packet) {
        switch (random.nextInt(12)) {
            case 0 -> packet.psn = packet.psn + any(-3, -2, -1, 1, 2) & Packet.PSN_MASK;
            case 1 -> packet.payload = bytes(any(0, 1, Bench.MTU - 1, Bench.MTU, Bench.MTU + 1));
            case 2 -> packet.key = any(packet.key + 1, bench.readOnly.key(), bench.foreign.key(), bench.freed.key(),
                    bench.two.key() + 1, packet.key + 256);
            case 3 -> packet.remoteAddress += any(-1, 1, 4, -8, Bench.SIZE);
            case 4 -> packet.length = any(0, packet.length - 1, packet.length + 1, Bench.SIZE, Bench.SIZE + 1,
                    Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1);
            case 5 -> packet.queuePair = packet.queuePair + 1;
            case 6 -> packet.qkey++;
            case 7 -> packet.asksForAcknowledgement = !packet.asksForAcknowledgement;
            case 8 -> {
                return stranger(packet);
            }
            default -> {
                return instead(packet, random.nextInt(256));
            }
        }
        return packet;
    }

    /// Returns a packet with another opcode.
    private Packet instead(Packet packet, int opcode) {
        int known = (Opcode.properties(opcode) & Opcode.KNOWN) != 0 ? opcode : transport | opcode % 12;
        Packet other = bench.packet(known, packet.psn);
        fill(other, left <= Bench.MTU);
        return (Opcode.properties(known) & Opcode.KNOWN) == 0 ? packet : other;
    }

    /// Returns a packet from or to another address.
    private Packet stranger(Packet packet) {
        Address other = new Address(bench.there.high(), bench.there.low() + 1);
        return chance(50)
                ? along(packet, new Path(other, bench.here, 0, 0, 64, 0, 1))
                : along(packet, new Path(bench.there, other, 0, 0, 64, 0, 1));
    }

    /// Returns a datagram to a group.
    private Packet toGroup(Packet packet) {
        Packet copy = along(packet, new Path(bench.there, any(Bench.GROUPS), 0, 0, 64, 0, 1));
        copy.queuePair = RxeDevice.MULTICAST_QUEUE_PAIR;
        return copy;
    }

    private Packet along(Packet packet, Path path) {
        var strange = new Packet(packet.opcode, path, bench.device);
        strange.queuePair = packet.queuePair;
        strange.psn = packet.psn;
        strange.qkey = packet.qkey;
        strange.payload = packet.payload;
        return strange;
    }

    /// Returns a repetition of a packet. The repetition of a read can be for the rest of its bytes.
    private Packet again(Packet packet) {
        Packet copy = packet.copyTo(bench.device);
        if (packet.is(Opcode.READS) && chance(60)) {
            int packets = random.nextInt(3);
            copy.psn = copy.psn + packets & Packet.PSN_MASK;
            copy.remoteAddress += (long) packets * Bench.MTU + any(0, 0, 0, -1, 1);
            copy.length -= packets * Bench.MTU + any(0, 0, 0, -1, 1);
            copy.key += any(0, 0, 0, 0, 1);
        }
        return copy;
    }

    /// Changes something else than packets.
    private void environment() {
        switch (random.nextInt(11)) {
            case 0 -> bench.pair.attributes().access = chance(50) ? 0
                    : Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE);
            case 1, 2 -> bench.pair.attributes().access = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ,
                    Access.REMOTE_ATOMIC, Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);
            case 3 -> bind();
            case 4 -> bench.sendQueue.arm(chance(50));
            case 5 -> bench.receiveQueue.arm(chance(50));
            case 6 -> {
                bench.connected = chance(93);
                bench.lines.add("connected " + bench.connected);
            }
            case 7 -> bench.look();
            case 8 -> bench.device.up(chance(93));
            case 9 -> bench.lines.add(
                    "group " + bench.device.group(any(Bench.GROUPS), bench.pair, chance(60)) + " "
                            + bench.device.members(Bench.GROUPS[0]) + " " + bench.device.listensTo(Bench.GROUPS[1]));
            default -> {
                if (bench.shared != null) {
                    bench.shared.limit(random.nextInt(4));
                }
            }
        }
    }

    /// Binds a window of the device.
    private void bind() {
        boolean first = chance(50);
        Window window = first ? bench.one : bench.two;
        int offset = random.nextInt(Bench.SIZE);
        int access = Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        local(WorkRequestOpcode.BIND_MEMORY_WINDOW, window.key() + (chance(10) ? 256 : 0), Bench.IOVA + offset,
                any(0, 8, Bench.SIZE - offset, Bench.SIZE - offset, Bench.SIZE - offset + 1),
                any(bench.open.key(), bench.open.key(), bench.readOnly.key(), bench.open.key() + 1),
                any(access, access, access, access | 1, Access.REMOTE_READ.value(),
                        access | Access.ZERO_BASED.value(), access | 1 << 9));
    }

    private void local(int opcode, int key, long address, long length, int region, int access) {
        bench.send(id++, opcode, any(0, SendFlags.SIGNALED, SendFlags.FENCE), 0, List.of(), (request, _) -> {
            if (opcode == WorkRequestOpcode.LOCAL_INVALIDATE) {
                request.set("wr.ex.invalidate_rkey", key);
            } else {
                request.set("wr.wr.mw.addr", address)
                        .set("wr.wr.mw.length", length)
                        .set("wr.wr.mw.mr_lkey", region)
                        .set("wr.wr.mw.mw_rkey", key)
                        .set("wr.wr.mw.rkey", random.nextInt(256))
                        .set("wr.wr.mw.access", access);
            }
        });
    }

    /// Takes one step as the program that sends, or as the peer that answers.
    void answer() {
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> send();
            case 4 -> bench.poll();
            case 5 -> {
                Duration time = Duration.ofMillis(any(1, 5, 17, 200));
                bench.simulation.advance(time.toNanos());
                bench.lines.add(time.toString());
            }
            case 6 -> move();
            case 7 -> environment();
            default -> {
                if (type == QueuePairType.RC && !bench.pair.sends().isEmpty()) {
                    bench.arrive(answerToTheOldest());
                }
            }
        }
        reconnect();
    }

    private void move() {
        switch (random.nextInt(8)) {
            case 0 -> bench.simulation.run(() -> bench.pair.move(QueuePairState.SQD));
            case 1, 2, 3 -> bench.simulation.run(() -> {
                if (bench.pair.state() == QueuePairState.SQD) {
                    bench.pair.move(QueuePairState.RTS);
                    bench.pair.ring();
                }
            });
            case 4 -> {
                bench.longest = chance(90) ? 1500 : 200;
                bench.simulation.run(bench.device::tryAgain);
            }
            case 5 -> {
                bench.connected = true;
                if (chance(10)) {
                    bench.simulation.run(() -> bench.pair.move(QueuePairState.ERR));
                }
            }
            default -> bench.look();
        }
    }

    private void send() {
        int opcode = type == QueuePairType.RC || chance(5)
                ? any(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 6, 9, 14, 15, chance(40) ? any(7, 8, 8, 11) : 4)
                : type == QueuePairType.UC ? any(0, 1, 2, 3, 7, 8) : any(2, 3);
        if (opcode == WorkRequestOpcode.BIND_MEMORY_WINDOW) {
            bind();
            return;
        }
        if (opcode == WorkRequestOpcode.LOCAL_INVALIDATE) {
            local(opcode, any(bench.one.key(), bench.two.key(), bench.two.key(), bench.two.key() + 1), 0, 0, 0, 0);
            return;
        }
        boolean atomic = opcode == WorkRequestOpcode.COMPARE_AND_SWAP || opcode == WorkRequestOpcode.FETCH_AND_ADD;
        boolean plain = opcode == WorkRequestOpcode.FLUSH || opcode == WorkRequestOpcode.ATOMIC_WRITE;
        boolean inline = !plain && !atomic && opcode != WorkRequestOpcode.RDMA_READ && chance(20);
        var elements = new ArrayList<Element>();
        if (atomic) {
            elements.add(element(Long.BYTES));
        } else if (!plain && !inline) {
            int count = random.nextInt(Bench.ELEMENTS + 1);
            for (int i = 0; i < count; i++) {
                elements.add(element(chance(10) ? Bench.SIZE - 1 : any(SEND_LENGTHS)));
            }
        }
        int flags = (inline ? SendFlags.INLINE : 0) | any(0, SendFlags.SIGNALED)
                | any(0, 0, 0, SendFlags.FENCE) | any(0, 0, SendFlags.SOLICITED);
        long remote = random.nextLong() & ~7;
        bench.send(id++, opcode, flags, chance(2) ? Bench.ELEMENTS + 30 : elements.size(), elements,
                (request, payload) -> {
                    request.set("iova", remote).set("wr.ex.invalidate_rkey", 0x1234_5678);
                    if (inline || plain) {
                        int length = plain ? Long.BYTES : chance(97) ? any(0, 1, 100, 256, 257, 522) : 523;
                        request.set("dma.length", length).set("dma.resid", length);
                        byte[] bytes = bytes((int) Math.min(length, payload.byteSize()));
                        payload.asSlice(0, bytes.length).copyFrom(java.lang.foreign.MemorySegment.ofArray(bytes));
                    }
                    if (type == QueuePairType.UD) {
                        request.set("wr.wr.ud.remote_qpn", Bench.PEER)
                                .set("wr.wr.ud.remote_qkey", Bench.QKEY)
                                .set("wr.wr.ud.ah_num", bench.handle.index() + (chance(5) ? 1 : 0));
                    } else if (atomic) {
                        request.set("wr.wr.atomic.remote_addr", remote)
                                .set("wr.wr.atomic.compare_add", random.nextLong())
                                .set("wr.wr.atomic.swap", random.nextLong())
                                .set("wr.wr.atomic.rkey", 0x55);
                    } else if (opcode == WorkRequestOpcode.FLUSH) {
                        request.set("wr.wr.flush.remote_addr", remote)
                                .set("wr.wr.flush.rkey", 0x66)
                                .set("wr.wr.flush.type", any(1, 2, 3))
                                .set("wr.wr.flush.level", any(0, 1));
                    } else {
                        request.set("wr.wr.rdma.remote_addr", remote).set("wr.wr.rdma.rkey", 0x77);
                    }
                });
    }

    /// Returns the answer that the oldest request waits for, or one that deviates from it.
    private Packet answerToTheOldest() {
        var request = Formats.SEND.view(Memory.at(bench.pair.sends().head(), Formats.SEND.size()));
        int opcode = request.getInt("wr.opcode");
        int length = request.getInt("dma.length");
        int rest = request.getInt("dma.resid");
        int psn = bench.pair.completer.psn;
        int last = request.getInt("last_psn");
        boolean fits = rest <= Bench.MTU;
        Packet answer;
        if (chance(4)) {
            answer = bench.packet(any(0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x11, 0x11, 0x12), psn);
            answer.payload = bytes(any(0, 0, 1, Bench.MTU));
        } else if (opcode == WorkRequestOpcode.RDMA_READ) {
            answer = bench.packet(rest == length
                    ? fits ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_FIRST
                    : fits ? Opcode.READ_RESPONSE_LAST : Opcode.READ_RESPONSE_MIDDLE, psn);
            answer.payload = bytes(Math.min(rest, Bench.MTU));
        } else if (opcode == WorkRequestOpcode.COMPARE_AND_SWAP || opcode == WorkRequestOpcode.FETCH_AND_ADD) {
            answer = bench.packet(Opcode.ATOMIC_ACKNOWLEDGE, psn);
            answer.original = random.nextLong();
        } else if (opcode == WorkRequestOpcode.FLUSH || opcode == WorkRequestOpcode.ATOMIC_WRITE) {
            answer = bench.packet(Opcode.READ_RESPONSE_ONLY, psn);
        } else {
            answer = bench.packet(Opcode.ACKNOWLEDGE, chance(70) ? last : psn);
        }
        answer.syndrome = Syndrome.ACKNOWLEDGED;
        switch (random.nextInt(30)) {
            case 0, 1 -> {
                answer = bench.packet(Opcode.ACKNOWLEDGE, answer.psn);
                answer.syndrome = any(SYNDROMES);
            }
            case 2 -> answer.psn = answer.psn + any(-2, -1, 1, 2) & Packet.PSN_MASK;
            case 3 -> answer.psn = bench.pair.sendPsn() + any(-1, 0) & Packet.PSN_MASK;
            case 4 -> answer.syndrome = any(SYNDROMES);
            default -> {
                // the right answer
            }
        }
        return answer;
    }
}
