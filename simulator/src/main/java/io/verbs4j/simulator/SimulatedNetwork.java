// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.simulator.engine.Clock;
import io.verbs4j.simulator.engine.Simulation;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A network of simulated machines, in this process.
///
/// ```java
/// try (var network = SimulatedNetwork.inRealTime()) {
///     var host = network.addHost("here", KernelProfile.LINUX_7_2);
///     host.addDevice("rxe0");
///     host.addDevice("rxe1");
///     try (var context = Devices.of(host).getFirst().open()) {
///         …
///     }
/// }
/// ```
///
/// Thread-safe. [#close()] ends timers; contexts that are still open stay usable, but nothing happens by itself any more.
public final class SimulatedNetwork implements AutoCloseable {
    private final Simulation simulation;
    private final SplittableRandom random;
    private final NetworkWire wire;
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private int devices;

    private SimulatedNetwork(Clock clock, long seed) {
        simulation = new Simulation(clock);
        random = new SplittableRandom(seed);
        wire = new NetworkWire(simulation, random.split());
    }

    /// Makes a network whose time is that of the clock on the wall, for programs that know nothing of it.
    public static SimulatedNetwork inRealTime() {
        return inRealTime(System.nanoTime());
    }

    /// Makes a network whose time is that of the clock on the wall.
    ///
    /// @param seed for what the wire does to packets, and for keys
    public static SimulatedNetwork inRealTime(long seed) {
        return new SimulatedNetwork(Clock.REAL, seed);
    }

    /// Makes a network with its own time, in which nothing depends on the speed of the machine: the same seed and the same
    /// calls make the same packets. Time passes while packets are on their way, while somebody waits for an event, and by
    /// [#advance]; a program that polls an empty completion queue has to advance it.
    ///
    /// @param seed for what the wire does to packets, and for keys
    public static SimulatedNetwork inVirtualTime(long seed) {
        return new SimulatedNetwork(Clock.VIRTUAL, seed);
    }

    /// Adds a machine.
    ///
    /// @param name for messages
    /// @param kernel which kernel's rxe it has
    public SimulatedHost addHost(String name, KernelProfile kernel) {
        var host = new SimulatedHost(this, name, kernel);
        simulation.run(() -> hosts.add(host));
        return host;
    }

    /// Returns the machines.
    public List<SimulatedHost> hosts() {
        var copy = new ArrayList<SimulatedHost>();
        simulation.run(() -> copy.addAll(hosts));
        return copy;
    }

    /// Sets what the wires do to the packets of all devices from now on; at first they are perfect.
    public SimulatedNetwork conditions(LinkConditions conditions) {
        simulation.run(() -> wire.conditions(conditions));
        return this;
    }

    /// Writes all packets to a capture in pcap format, which Wireshark, tcpdump and `tools/verbs packets` read. Packets that the
    /// wire loses are not in it, and corrupted ones are there as they arrive.
    ///
    /// @param stream is flushed with each packet, and never closed
    public SimulatedNetwork capture(OutputStream stream) {
        simulation.run(() -> wire.capture(new Capture(stream)));
        return this;
    }

    /// Ends the capture.
    public SimulatedNetwork endCapture() {
        simulation.run(() -> wire.capture(null));
        return this;
    }

    /// Lets virtual time pass.
    ///
    /// @throws IllegalStateException if the network runs in real time
    public void advance(Duration time) {
        simulation.advance(time.toNanos());
    }

    /// Returns the time since the network was made.
    public Duration now() {
        return Duration.ofNanos(simulation.now());
    }

    /// Machines, for the thread that holds the simulation.
    List<SimulatedHost> held() {
        return hosts;
    }

    Simulation simulation() {
        return simulation;
    }

    NetworkWire wire() {
        return wire;
    }

    SplittableRandom freshRandom() {
        return random.split();
    }

    /// Number of the next device, from 0.
    int nextDevice() {
        return devices++;
    }

    @Override
    public void close() {
        simulation.close();
    }
}
