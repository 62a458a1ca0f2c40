// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A simulated rxe device: its objects by number, its addresses, and the entry point of packets. Callers hold the
/// simulation.
public final class RxeDevice {
    /// The queue pair number that addresses the members of a group.
    static final int MULTICAST_QUEUE_PAIR = 0xff_ffff;

    /// Maximum number of queue pairs in a group (`RXE_MAX_MCAST_QP_ATTACH`, rxe_param.h).
    public static final int MAX_GROUP_MEMBERS = 56;

    private static final int LARGEST_PAYLOAD = 4096;
    private static final int SMALLEST_PAYLOAD = 256;
    /// `RXE_MAX_HDR_LENGTH` (rxe_hdr.h).
    private static final int HEADERS = 80;

    private static final int FIRST_WINDOW = 0x8_0000;
    private static final int LAST_INDEX = 1 << 20;
    private static final int KEY_SHIFT = 8;
    private static final int LOW_KEY = 0xff;

    private final Simulation simulation;
    private final KernelProfile profile;
    private final Wire wire;
    private final RandomGenerator random;
    private final Pool<QueuePair> queuePairs = new Pool<>(17, LAST_INDEX);
    private final Pool<SharedReceives> sharedReceives = new Pool<>(0x2_0001, LAST_INDEX);
    private final Pool<Region> regions = new Pool<>(1, FIRST_WINDOW - 1);
    private final Pool<Window> windows = new Pool<>(FIRST_WINDOW, LAST_INDEX);
    private final Pool<Handle> handles = new Pool<>(1, (1 << 15) - 1);
    private final Map<Address, List<QueuePair>> groups = new HashMap<>();
    private final Map<Counter, long[]> counters = new EnumMap<>(Counter.class);
    private int wrongPkeys;
    private int wrongQkeys;
    private int interfaceMtu = 1500;
    private boolean up = true;

    /// An address handle.
    ///
    /// @param index its number in work requests
    public record Handle(int index, Domain domain, Path path) {}

    /// @param random source of keys
    public RxeDevice(Simulation simulation, KernelProfile profile, Wire wire, RandomGenerator random) {
        this.simulation = simulation;
        this.profile = profile;
        this.wire = wire;
        this.random = random;
    }

    /// Returns the simulation.
    public Simulation simulation() {
        return simulation;
    }

    /// Returns the simulated kernel.
    public KernelProfile profile() {
        return profile;
    }

    boolean has(Behaviour behaviour) {
        return profile.has(behaviour);
    }

    /// Returns the maximum payload of a packet: the largest value of 256 to 4096 bytes that fits into the network
    /// interface's MTU with the longest headers, but at least 256 (`rxe_set_mtu`, rxe.c).
    public int activeMtu() {
        int payload = LARGEST_PAYLOAD;
        while (payload > SMALLEST_PAYLOAD && payload + HEADERS > interfaceMtu) {
            payload >>= 1;
        }
        return payload;
    }

    /// Returns the size of the longest packet that the network interface carries, from its IP header on.
    public int interfaceMtu() {
        return interfaceMtu;
    }

    /// Sets [#interfaceMtu].
    public void interfaceMtu(int bytes) {
        interfaceMtu = bytes;
    }

    /// Makes queue pairs whose packets were too long try again.
    public void tryAgain() {
        queuePairs.all().forEach(QueuePair::wakeSender);
    }

    /// Returns whether a packet is too long for an interface on its path.
    boolean isTooLong(Packet packet) {
        return !wire.carries(this, packet);
    }

    /// Returns whether the link is up.
    public boolean isUp() {
        return up;
    }

    /// Sets [#isUp].
    public void up(boolean link) {
        if (!link && up) {
            count(Counter.LINK_DOWNED);
        }
        up = link;
    }

    /// Returns the value of a counter.
    public long counted(Counter counter) {
        return counters.getOrDefault(counter, new long[1])[0];
    }

    void count(Counter counter) {
        count(counter, 1);
    }

    private void count(Counter counter, int more) {
        counters.computeIfAbsent(counter, _ -> new long[1])[0] += more;
    }

    /// Returns the number of datagrams with a wrong Q_Key.
    public int wrongQkeys() {
        return wrongQkeys;
    }

    /// Returns the number of packets with a wrong P_Key.
    public int wrongPkeys() {
        return wrongPkeys;
    }

    private int freshKey(int index) {
        return index << KEY_SHIFT | random.nextInt(LOW_KEY + 1);
    }

    /// Registers memory.
    public @Nullable Region register(Domain domain, long start, long length, long iova, int access) {
        return regions.add(index -> new Region(index, freshKey(index), domain, start, length, iova, access));
    }

    /// Removes a region.
    public void remove(Region region) {
        regions.remove(region.index);
    }

    /// Creates a window.
    public @Nullable Window window(Domain domain, int type) {
        return windows.add(index -> new Window(index, type, freshKey(index), domain));
    }

    /// Removes a window.
    public void remove(Window window) {
        window.free();
        windows.remove(window.index);
    }

    /// Creates an address handle.
    public @Nullable Handle handle(Domain domain, Path path) {
        return handles.add(index -> new Handle(index, domain, path));
    }

    /// Removes an address handle.
    public void remove(Handle handle) {
        handles.remove(handle.index);
    }

    @Nullable
    Handle handle(int index) {
        return handles.get(index);
    }

    /// Creates a shared receive queue.
    public @Nullable SharedReceives sharedReceives(int receives, int maxElements, int limit, Runnable limitReached) {
        return sharedReceives.add(index -> new SharedReceives(index, receives, maxElements, limit, limitReached));
    }

    /// Removes a shared receive queue.
    public void remove(SharedReceives queue) {
        sharedReceives.remove(queue.index());
    }

    /// Creates a queue pair.
    public @Nullable QueuePair queuePair(QueuePair.Shape shape) {
        return queuePairs.add(number -> new QueuePair(this, number, shape));
    }

    /// Removes a queue pair.
    public void remove(QueuePair queuePair) {
        queuePair.end();
        queuePairs.remove(queuePair.number);
    }

    static boolean isOfWindow(int key) {
        return key >>> KEY_SHIFT >= FIRST_WINDOW;
    }

    /// Returns the region with a key, if it is in a protection domain and has an access right.
    public @Nullable Region region(int key, Domain domain, int access) {
        Region region = regions.get(key >>> KEY_SHIFT);
        return region != null && region.key == key && region.domain == domain && (access & region.access) == access
                ? region
                : null;
    }

    /// Returns the region with a key, without a check of access rights.
    @Nullable
    Region region(int key) {
        Region region = regions.get(key >>> KEY_SHIFT);
        return region != null && region.key == key ? region : null;
    }

    /// Returns the window with a key.
    @Nullable
    Window window(int key) {
        Window window = windows.get(key >>> KEY_SHIFT);
        return window != null && window.key == key ? window : null;
    }

    /// Returns the window with a key, if it permits an access of the queue pair's peer.
    @Nullable
    Window window(int key, QueuePair queuePair, int access) {
        Window window = window(key);
        return window == null
                || !window.valid
                || window.domain != queuePair.shape.domain()
                || (window.type == 2 && window.queuePair != queuePair)
                || window.length == 0
                || (access & window.access) != access
                        ? null
                        : window;
    }

    /// Adds a queue pair to a group, or removes it.
    ///
    /// @return false if the queue pair to add was a member already, or the queue pair to remove was not a member
    public boolean group(Address group, QueuePair queuePair, boolean join) {
        if (join) {
            List<QueuePair> members = groups.computeIfAbsent(group, _ -> new ArrayList<>());
            return !members.contains(queuePair) && members.add(queuePair);
        }
        List<QueuePair> members = groups.get(group);
        if (members == null || !members.remove(queuePair)) {
            return false;
        }
        if (members.isEmpty()) {
            groups.remove(group);
        }
        return true;
    }

    /// Returns the number of queue pairs in a group.
    public int members(Address group) {
        return groups.getOrDefault(group, List.of()).size();
    }

    /// Returns whether a group has members.
    public boolean listensTo(Address group) {
        return groups.containsKey(group);
    }

    /// Sends a packet.
    ///
    /// @return false if it cannot be sent
    boolean send(Packet packet) {
        if (!up || isTooLong(packet) || !wire.send(this, packet)) {
            count(Counter.SEND_ERR);
            return false;
        }
        count(Counter.SENT_PKTS);
        count(Counter.SENT_BYTES, PacketBytes.lengthWithIp(packet));
        return true;
    }

    /// Receives a packet (`rxe_rcv`, rxe_recv.c).
    void receive(Packet packet) {
        if (!up || !packet.is(Opcode.KNOWN)) {
            return;
        }
        if (packet.queuePair == MULTICAST_QUEUE_PAIR) {
            receiveInGroup(packet);
            return;
        }
        QueuePair queuePair = queuePairs.get(packet.queuePair);
        if (queuePair != null && takes(queuePair, packet) && queuePair.isPeer(packet) && hasKey(queuePair, packet)) {
            countArrival(packet);
            queuePair.arrived(packet);
        }
    }

    private void countArrival(Packet packet) {
        count(Counter.RCVD_PKTS);
        count(Counter.RCVD_BYTES, PacketBytes.lengthWithIp(packet));
    }

    private void receiveInGroup(Packet packet) {
        List<QueuePair> members = groups.get(packet.destination);
        if (members == null) {
            return;
        }
        countArrival(packet);
        for (QueuePair member : List.copyOf(members)) {
            if (takes(member, packet) && hasKey(member, packet)) {
                member.arrived(packet);
            }
        }
    }

    /// Returns whether transport and state of the queue pair permit the packet.
    private boolean takes(QueuePair queuePair, Packet packet) {
        int transport =
                switch (queuePair.shape.type()) {
                    case RC -> Opcode.RC;
                    case UC -> Opcode.UC;
                    default -> Opcode.UD;
                };
        QueuePairState least = packet.is(Opcode.REQUEST) ? QueuePairState.RTR : QueuePairState.RTS;
        boolean failed = queuePair.state == QueuePairState.ERR && has(Behaviour.FAILED_QUEUE_PAIRS_TAKE_NOTHING);
        return (packet.opcode & Opcode.TRANSPORT) == transport && queuePair.state.compareTo(least) >= 0 && !failed;
    }

    private boolean hasKey(QueuePair queuePair, Packet packet) {
        if (queuePair.shape.type() == QueuePairType.UD && packet.qkey != queuePair.qkey) {
            wrongQkeys = Math.min(wrongQkeys + 1, 0xffff);
            return false;
        }
        return true;
    }
}
