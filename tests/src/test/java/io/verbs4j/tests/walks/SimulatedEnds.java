// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.Devices;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Simulated devices with the profile of the running kernel, in virtual time, so that a walk never waits. Each walk has
/// its own network, so that earlier or concurrent walks do not affect it.
final class SimulatedEnds {
    /// Longer than all timers of a walk, so that one pause is enough.
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private static KernelProfile profile() {
        return Kernel.isAtLeast(7, 0) ? KernelProfile.LINUX_7_2
                : Kernel.isAtLeast(6, 12) ? KernelProfile.LINUX_6_12 : KernelProfile.LINUX_6_1;
    }

    /// Executes a walk again, and returns its packets as `tools/verbs packets` shows them, without lost ones.
    static String packets(Walk walk) {
        var capture = new ByteArrayOutputStream();
        var ends = new SimulatedEnds();
        ends.network.capture(capture);
        try {
            WalkRun.take(walk, ends.open(walk.patient()), Quirk.ofThisKernel(), WalkSearch.SHORT_LIMIT);
        } catch (WalkRun.Deviation _) {
            // that is why somebody asks
        }
        try {
            Path file = Files.createTempFile("walk", ".pcap");
            try {
                Files.write(file, capture.toByteArray());
                return ToolRun.of("packets", file.toString()).output();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// In virtual time it has no thread that would have to be ended.
    private final SimulatedNetwork network = SimulatedNetwork.inVirtualTime(1);
    private final DevicePair pair;

    SimulatedEnds() {
        var host = network.addHost("simulated", profile());
        host.addDevice(Rxe.LEFT);
        host.addDevice(Rxe.RIGHT);
        var devices = Devices.of(host);
        pair = new DevicePair(host, devices.getFirst(), devices.getLast(), Rxe.gid(1), Rxe.gid(2));
    }

    DevicePair pair() {
        return pair;
    }

    /// Opens both ends for a walk.
    RxeDevice open(boolean patient) {
        return new RxeDevice(patient, pair, _ -> network.advance(PAUSE));
    }
}
