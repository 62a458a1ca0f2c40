// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.junit;

import io.verbs4j.simulator.KernelProfile;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/// Gives each test of a class, or one test method, a simulated network of its own and hands its parts to parameters:
///
/// ```java
/// @SimulatedRdma(kernel = KernelProfile.LINUX_6_12, loss = 0.05, seed = 7)
/// class TransferTest {
///     @Test
///     void survivesLoss(Device client, Device server) {
///         try (Context context = client.open()) {
///             …
///         }
///     }
/// }
/// ```
///
/// | parameter | value |
/// | --- | --- |
/// | `io.verbs4j.Device` | the devices in order, one for each such parameter: those of the first host, then those of the second |
/// | `io.verbs4j.Context` | the same devices in the same order, each opened for the test and closed after it |
/// | `io.verbs4j.simulator.SimulatedDevice` | the same devices in the same order, to change their links, addresses and MTU |
/// | `io.verbs4j.simulator.SimulatedHost` | the hosts in order |
/// | `io.verbs4j.simulator.SimulatedNetwork` | the network |
///
/// While a test runs, its first host is the current one of the process: `Devices.list()`, `RdmaServer` and
/// `RdmaConnection` use it. Therefore these tests run one at a time, also where JUnit runs others concurrently. The
/// devices have the addresses 10.9.0.1, 10.9.0.2 … in order. A connection from a host to the address of its second
/// device leaves by the first, so it crosses the wire:
///
/// ```java
/// @Test
/// @SimulatedRdma(loss = 0.05)
/// void survivesLoss() throws Exception {
///     var address = new InetSocketAddress("10.9.0.2", 7471);
///     try (var server = RdmaServer.listen(address, options)) {
///         …
/// ```
///
/// A test that passes and leaves a context open fails: something it opened was not closed. The annotation of a method
/// takes the place of its class's. Constructors get no such parameters; methods with `@BeforeEach` and `@AfterEach` get
/// those of the test.
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SimulatedRdmaExtension.class)
@ResourceLock("io.verbs4j.abi.host.Host.current")
public @interface SimulatedRdma {
    /// Number of machines, from 1. They are on one network.
    int hosts() default 1;

    /// Number of devices of each machine, from 0. They are `rxe0`, `rxe1` …
    int devices() default 2;

    /// The kernel whose rxe the devices behave like.
    KernelProfile kernel() default KernelProfile.LINUX_7_2;

    /// Share of packets that the wire loses, 0 to 1.
    double loss() default 0;

    /// Share of packets that arrive twice, 0 to 1.
    double duplication() default 0;

    /// Share of packets of which a bit changes, 0 to 1; their receiver drops them.
    double corruption() default 0;

    /// Share of packets that later ones overtake, 0 to 1.
    double reordering() default 0;

    /// Time in microseconds that a packet travels.
    long delayMicros() default 0;

    /// MTU of the network interfaces in bytes, 68 to 65535. A port's MTU is the largest of 256 to 4096 bytes that fits.
    int mtu() default 1500;

    /// Decides what the wire does to which packet.
    long seed() default 1;

    /// Runs the network in virtual time: the same seed and the same calls make the same packets, however fast the
    /// machine is. Retry timers then go off only while a program waits for an event or calls
    /// `SimulatedNetwork.advance`; a program that polls has to do so.
    boolean virtualTime() default false;
}
