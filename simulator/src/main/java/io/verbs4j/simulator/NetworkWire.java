// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.engine.Task;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.simulator.rxe.Packet;
import io.verbs4j.simulator.rxe.PacketBytes;
import io.verbs4j.simulator.rxe.RxeDevice;
import io.verbs4j.simulator.rxe.Wire;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The wire that connects all devices.
final class NetworkWire implements Wire {
    /// Additional delay of a packet that others overtake, in nanoseconds.
    private static final long REORDERING_DELAY = 100_000;
    /// An interface accepts packets that exceed its MTU by this (`__is_skb_forwardable`, include/linux/netdevice.h).
    private static final int VLAN_HEADER = 4;

    private final Simulation simulation;
    private final RandomGenerator random;
    private final Map<Address, RxeDevice> devices = new LinkedHashMap<>();
    /// Weak, because the open contexts of a removed device may still send.
    private final Map<RxeDevice, Sending> senders = new WeakHashMap<>();
    private LinkConditions common = LinkConditions.PERFECT;
    private final Map<Tap, RxeDevice> taps = new HashMap<>(); // a tap equals itself only
    private @Nullable Capture capture;

    NetworkWire(Simulation simulation, RandomGenerator random) {
        this.simulation = simulation;
        this.random = random;
    }

    /// State of one sender's packets.
    private static final class Sending {
        LinkConditions conditions;
        long lost;

        Sending(LinkConditions conditions) {
            this.conditions = conditions;
        }
    }

    void conditions(LinkConditions next) {
        common = next;
        senders.values().forEach(sending -> sending.conditions = next);
    }

    void conditions(RxeDevice sender, LinkConditions next) {
        of(sender).conditions = next;
    }

    /// Returns the number of lost packets of a sender.
    long lost(RxeDevice sender) {
        return of(sender).lost;
    }

    private Sending of(RxeDevice sender) {
        return senders.computeIfAbsent(sender, _ -> new Sending(common));
    }

    void capture(Capture next) {
        capture = next;
    }

    void endCapture() {
        Capture ended = capture;
        capture = null;
        if (ended != null) {
            ended.end();
        }
    }

    void add(Address address, RxeDevice device) {
        devices.put(address, device);
    }

    void remove(Address address) {
        devices.remove(address);
    }

    @Override
    public boolean knows(RxeDevice sender, Address address) {
        return devices.containsKey(address);
    }

    /// Returns whether the interfaces carry a packet. A packet from a device to itself passes no interface, because rxe
    /// loops it back (`rxe_loopback`, rxe_net.c). A virtual Ethernet interface reports immediately that its peer does
    /// not accept a packet.
    @Override
    public boolean carries(RxeDevice sender, Packet packet) {
        int bytes = PacketBytes.lengthWithIp(packet);
        RxeDevice receiver = devices.get(packet.destination());
        return receiver == sender
                || (bytes <= sender.interfaceMtu()
                        && (receiver == null || bytes <= receiver.interfaceMtu() + VLAN_HEADER));
    }

    /// Handles a changed MTU of an interface: all devices on the wire try again to send.
    void interfaceChanged() {
        new LinkedHashSet<>(devices.values()).forEach(RxeDevice::tryAgain);
    }

    @Override
    public boolean send(RxeDevice sender, Packet packet) {
        Sending sending = of(sender);
        if (packet.destination().isMulticast()) {
            boolean first = true;
            for (RxeDevice device : new LinkedHashSet<>(devices.values())) {
                if (device.listensTo(packet.destination())) {
                    deliver(packet.copyTo(device), sending, sender, device, first);
                    first = false;
                }
            }
            return true;
        }
        RxeDevice receiver = devices.get(packet.destination());
        if (receiver != null) {
            deliver(packet.to(receiver), sending, sender, receiver, true);
        }
        return true;
    }

    private void deliver(Packet packet, Sending sending, RxeDevice sender, RxeDevice receiver, boolean seen) {
        if (receiver == sender || sending.conditions.isPerfect()) {
            if (seen) {
                record(packet, sender, receiver, false);
            }
            simulation.add(packet);
            return;
        }
        travel(packet, sending, sender, receiver, seen);
        if (happens(sending.conditions.duplication())) {
            travel(packet, sending, sender, receiver, seen);
        }
    }

    /// Delivers a message of the connection manager. The wire loses no such message, because the connection manager
    /// repeats lost messages.
    void carry(RxeDevice sender, Address destination, Task arrival) {
        simulation.travel(devices.get(destination) == sender ? 0 : of(sender).conditions.delay().toNanos(), arrival);
    }

    private void travel(Packet packet, Sending sending, RxeDevice sender, RxeDevice receiver, boolean seen) {
        LinkConditions conditions = sending.conditions;
        if (happens(conditions.loss())) {
            sending.lost++;
            return;
        }
        boolean corrupted = happens(conditions.corruption());
        if (seen) {
            record(packet, sender, receiver, corrupted);
        }
        if (!corrupted) { // the receiver would drop a corrupted packet because of its invariant CRC
            long time = conditions.delay().toNanos();
            simulation.travel(happens(conditions.reordering()) ? time + REORDERING_DELAY : time, packet);
        }
    }

    /// Records a packet in the capture and the taps. A packet from a device to itself crosses no network interface.
    private void record(Packet packet, RxeDevice sender, RxeDevice receiver, boolean corrupted) {
        if (capture == null && taps.isEmpty()) {
            return;
        }
        byte[] frame = Capture.frame(packet, sender, corrupted ? random.nextInt() : 0);
        if (capture != null) {
            capture.write(simulation.now(), frame);
        }
        if (receiver != sender) {
            taps.forEach((tap, device) -> {
                if (device == sender || device == receiver) {
                    tap.bring(frame);
                }
            });
        }
    }

    /// Opens a tap that receives a device's frames.
    Tap tap(RxeDevice device) {
        var made = new Tap[1];
        made[0] = new Tap(() -> simulation.run(() -> taps.remove(made[0])));
        taps.put(made[0], device);
        return made[0];
    }

    private boolean happens(double share) {
        return share > 0 && random.nextDouble() < share;
    }
}
