// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.junit;

import io.verbs4j.simulator.profile.KernelProfile;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/// Creates a simulated network for each test of a class, or for one test method, and injects its parts as parameters:
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
/// | `io.verbs4j.Device` | the devices in order, one per parameter: those of the first host, then those of the second |
/// | `io.verbs4j.Context` | the same devices in the same order, opened for the test and closed after it |
/// | `io.verbs4j.simulator.SimulatedDevice` | the same devices in the same order, to change their links, addresses and MTU |
/// | `io.verbs4j.simulator.SimulatedHost` | the hosts in order |
/// | `io.verbs4j.simulator.SimulatedNetwork` | the network |
///
/// While a test runs, its first host is the current host of the process, used by `Devices.list()`, `RdmaServer` and
/// `RdmaConnection`. Therefore these tests run one at a time, even if JUnit runs others concurrently. The devices have
/// the addresses 10.9.0.1, 10.9.0.2 … in order. A connection from a host to the address of its second device leaves by
/// the first device, so it crosses the wire:
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
/// If a context is still open three seconds after a test, the test fails, even if all its assertions hold. An
/// annotation on a method replaces the annotation on the class. Constructors get no such parameters. Methods with
/// `@BeforeEach` and `@AfterEach` get the same objects as the test; in place of a closed context, they get a new one.
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SimulatedRdmaExtension.class)
@ResourceLock("io.verbs4j.abi.host.Host.current")
public @interface SimulatedRdma {
    /// Number of hosts, at least 1. All are on one network.
    int hosts() default 1;

    /// Number of devices of each host, at least 0. They are named `rxe0`, `rxe1` …
    int devices() default 2;

    /// Kernel whose rxe driver is simulated.
    KernelProfile kernel() default KernelProfile.LINUX_7_2;

    /// Fraction of packets that the wire loses, 0 to 1.
    double loss() default 0;

    /// Fraction of packets that arrive twice, 0 to 1.
    double duplication() default 0;

    /// Fraction of packets with a changed bit, 0 to 1. The receiver drops such packets.
    double corruption() default 0;

    /// Fraction of packets that later packets overtake, 0 to 1.
    double reordering() default 0;

    /// Transmission delay of a packet in microseconds.
    long delayMicros() default 0;

    /// MTU of the network interfaces in bytes, 68 to 65535. A port's MTU is the largest value of 256 to 4096 bytes that
    /// fits.
    int mtu() default 1500;

    /// Seed of the wire's random choices.
    long seed() default 1;

    /// Runs the network in virtual time: the same seed and the same calls produce the same packets, independent of the
    /// machine's speed. Time passes, and retry timers fire, only while packets are in flight, a thread waits for an
    /// event, or `SimulatedNetwork.advance` runs. A program that polls an empty completion queue must call `advance`.
    boolean virtualTime() default false;
}
