// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.host.HostFactory;
import io.verbs4j.simulator.profile.KernelProfile;
import java.util.Locale;

/// Creates the host that the system property `verbs4j.simulate` specifies: a number of devices, optionally followed by
/// a colon and a kernel, as in `2:6.12`. The default is the newest kernel. The devices are named `rxe0`, `rxe1` … on
/// one wire, with the addresses 10.9.0.1, 10.9.0.2 …
public final class SimulatedHostFactory implements HostFactory {
    private static final int MAX_DEVICES = 64;

    /// Called by `java.util.ServiceLoader`.
    public SimulatedHostFactory() {}

    @Override
    public Host host(String value) {
        String[] parts = value.strip().toLowerCase(Locale.ROOT).split(":", 2);
        KernelProfile kernel = parts.length < 2 ? KernelProfile.LINUX_7_2 : KernelProfile.named(parts[1]);
        SimulatedHost host = SimulatedNetwork.inRealTime().addHost("simulated", kernel);
        int count = count(parts[0], value);
        for (int i = 0; i < count; i++) {
            host.addDevice("rxe" + i);
        }
        return host;
    }

    private static int count(String text, String value) {
        if (!text.matches("\\d{1,3}") || Integer.parseInt(text) > MAX_DEVICES) {
            throw new IllegalArgumentException(PROPERTY + "=" + value + " is not a number of devices from 0 to "
                    + MAX_DEVICES
                    + ", optionally followed by a colon and a kernel (6.1, 6.12, 7.2, specification), such as 2 or 2:6.12");
        }
        return Integer.parseInt(text);
    }
}
