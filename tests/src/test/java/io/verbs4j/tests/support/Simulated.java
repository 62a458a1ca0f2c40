// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.host.HostFactory;
import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The simulated devices that tests run on instead of the lab's, if the system property `verbs4j.simulate` is set.
public final class Simulated {
    private Simulated() {}

    /// Returns whether the tests run on simulated devices.
    public static boolean isUsed() {
        return System.getProperty(HostFactory.PROPERTY) != null;
    }

    static SimulatedHost host() {
        return (SimulatedHost) Host.current();
    }

    static SimulatedDevice device(String name) {
        return host().find(name).orElseThrow();
    }

    /// Converts netem parameters to the conditions of a simulated wire. In `delay 1ms 500us loss 2% duplicate 2%
    /// corrupt 2% reorder 30%`, the jitter of the delay is ignored, and so is a delay that only serves reordering.
    static LinkConditions conditions(String netem) {
        double reordering = share(netem, "reorder");
        Matcher delay = Pattern.compile("delay (\\d+)ms (\\d+)us").matcher(netem);
        return new LinkConditions(
                share(netem, "loss"),
                share(netem, "duplicate"),
                share(netem, "corrupt"),
                reordering,
                delay.find() ? Duration.ofMillis(Long.parseLong(delay.group(1))) : Duration.ZERO);
    }

    private static double share(String netem, String what) {
        Matcher share = Pattern.compile(what + " (\\d+)%").matcher(netem);
        return share.find() ? Integer.parseInt(share.group(1)) / 100.0 : 0;
    }

    /// Returns this process's objects on all devices, from the simulation instead of netlink.
    ///
    /// @param withContexts whether open contexts count, too
    static List<String> objects(boolean withContexts) {
        return Stream.of(Rxe.LEFT, Rxe.RIGHT, TemporaryRxe.NAME)
                .flatMap(name -> host().find(name).stream())
                .flatMap(device -> Stream.concat(
                        device.objects().stream().map(object -> device + " " + object),
                        withContexts ? contexts(device) : Stream.of()))
                .toList();
    }

    private static Stream<String> contexts(SimulatedDevice device) {
        return Stream.iterate(1, n -> n <= device.contexts(), n -> n + 1).map(n -> device + " context " + n);
    }
}
