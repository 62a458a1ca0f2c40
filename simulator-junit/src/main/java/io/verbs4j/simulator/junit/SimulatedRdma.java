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

/// Gives each test of a class, or one test method, a simulated network of its own, whose parts are passed as
/// parameters:
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
/// | `io.verbs4j.Context` | the same devices in the same order, each opened for the test and closed after it |
/// | `io.verbs4j.simulator.SimulatedDevice` | the same devices in the same order, to change their links, addresses and MTU |
/// | `io.verbs4j.simulator.SimulatedHost` | the hosts in order |
/// | `io.verbs4j.simulator.SimulatedNetwork` | the network |
///
/// A test that leaves a context open fails. A method's annotation replaces that of its class. Methods with
/// `@BeforeEach` and `@AfterEach` get the same parameters as the test; constructors get none.
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SimulatedRdmaExtension.class)
public @interface SimulatedRdma {
    /// Number of machines on the network, at least 1.
    int hosts() default 1;

    /// Number of devices of each machine, at least 0: `rxe0`, `rxe1` …
    int devices() default 2;

    /// The kernel whose rxe is simulated.
    KernelProfile kernel() default KernelProfile.LINUX_7_2;

    /// Share of packets that the wire loses, 0 to 1.
    double loss() default 0;

    /// Share of packets that arrive twice, 0 to 1.
    double duplication() default 0;

    /// Share of corrupted packets, 0 to 1; the receiver drops them.
    double corruption() default 0;

    /// Share of packets that are overtaken by later ones, 0 to 1.
    double reordering() default 0;

    /// Delay of a packet in microseconds.
    long delayMicros() default 0;

    /// MTU of the network interfaces in bytes, 68 to 65535. A port's MTU is the largest of 256 to 4096 bytes that fits.
    int mtu() default 1500;

    /// Seed of the wire's random decisions.
    long seed() default 1;

    /// Runs the network in virtual time: the same seed and the same calls produce the same packets, however fast the
    /// machine is. Retry timers then expire only while a program waits for an event or calls
    /// `SimulatedNetwork.advance`; a program that polls must call it.
    boolean virtualTime() default false;
}
