// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.simulator.engine.Clock;
import io.verbs4j.simulator.engine.Simulation;
import io.verbs4j.simulator.profile.KernelProfile;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A network of simulated hosts in this process.
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
/// Thread-safe. [#close()] stops all timers. Contexts that are still open remain usable, but without timers.
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

    /// Creates a network in real time, for programs that are unaware of the simulation.
    public static SimulatedNetwork inRealTime() {
        return inRealTime(System.nanoTime());
    }

    /// Creates a network in real time.
    ///
    /// @param seed seed of the wire's random choices and of keys
    public static SimulatedNetwork inRealTime(long seed) {
        return new SimulatedNetwork(Clock.REAL, seed);
    }

    /// Creates a network in virtual time, which does not depend on the machine's speed: the same seed and the same
    /// calls produce the same packets. Time passes while packets are in flight, while a thread waits for an event, and
    /// by [#advance]. A program that polls an empty completion queue must call [#advance].
    ///
    /// @param seed seed of the wire's random choices and of keys
    public static SimulatedNetwork inVirtualTime(long seed) {
        return new SimulatedNetwork(Clock.VIRTUAL, seed);
    }

    /// Adds a host.
    ///
    /// @param name the host's name in messages
    /// @param kernel the kernel whose rxe driver is simulated
    public SimulatedHost addHost(String name, KernelProfile kernel) {
        var host = new SimulatedHost(this, name, kernel);
        simulation.run(() -> hosts.add(host));
        return host;
    }

    /// Returns the hosts.
    public List<SimulatedHost> hosts() {
        var copy = new ArrayList<SimulatedHost>();
        simulation.run(() -> copy.addAll(hosts));
        return copy;
    }

    /// Sets the conditions of the wires for all packets from now on. The initial conditions are
    /// [LinkConditions#PERFECT].
    public SimulatedNetwork conditions(LinkConditions conditions) {
        simulation.run(() -> wire.conditions(conditions));
        return this;
    }

    /// Writes all packets that the wire delivers to a capture in pcap format, which Wireshark, tcpdump and `tools/verbs
    /// packets` can read. Lost packets are missing, and corrupted packets are written in their corrupted form.
    ///
    /// @param stream flushed after each packet, never closed
    public SimulatedNetwork capture(OutputStream stream) {
        simulation.run(() -> wire.capture(new Capture(stream)));
        return this;
    }

    /// Ends the capture.
    ///
    /// @throws java.io.UncheckedIOException if the stream has thrown an exception. The capture then lacks that packet
    ///     and all later packets, but the wire has delivered them.
    public SimulatedNetwork endCapture() {
        simulation.run(wire::endCapture);
        return this;
    }

    /// Advances virtual time.
    ///
    /// @throws IllegalStateException if the network runs in real time
    public void advance(Duration time) {
        simulation.advance(time.toNanos());
    }

    /// Returns the time since the network was created.
    public Duration now() {
        return Duration.ofNanos(simulation.now());
    }

    /// Returns the hosts. The caller holds the simulation.
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

    /// Returns the number of the next device, from 0.
    int nextDevice() {
        return devices++;
    }

    @Override
    public void close() {
        simulation.close();
    }
}
