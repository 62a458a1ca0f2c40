// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.abi.Recording;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.faults.Operands;
import io.verbs4j.tests.faults.Operation;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/// The simulated kernel accepts and refuses altered commands as it did when they were recorded, with the same answers:
/// each field of each command of each public operation is changed to several values. `commands.txt` ([Recording]) has
/// checksums; a run writes the lines behind them to `target/commands`. `DamagedCommandsIT` sends such commands to real
/// kernels, which need not refuse the same ones.
class RecordedCommandsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/tests/simulator/commands.txt");
    private static final int IPV4_INDEX = 1;

    /// The first one tries for a second. The others read files.
    private static final Set<Operation> WITHOUT = EnumSet.of(
            Operation.CLOSE_QUEUE_PAIR_IN_A_GROUP, Operation.QUERY_PKEYS, Operation.QUERY_PKEY, Operation.FIND_PKEY);

    private final List<String> results = new ArrayList<>();

    private void run(KernelProfile kernel, boolean older) throws Exception {
        var done = new HashMap<String, Integer>();
        for (Operation operation : Operation.values()) {
            if (!WITHOUT.contains(operation)) {
                run(kernel, older, operation, done);
            }
        }
    }

    private void run(KernelProfile kernel, boolean older, Operation operation, Map<String, Integer> done)
            throws Exception {
        try (var network = SimulatedNetwork.inVirtualTime(7)) {
            var host = network.addHost("host", kernel);
            host.addDevice("rxe0");
            DeviceFile file = host.open(host.devices().getFirst().node());
            var commands = new AlteredCommands(file, older, done);
            try (Context context = InjectedDevices.open(commands.file())) {
                if (operation.needed() != null && !context.supports(operation.needed())) {
                    return;
                }
                var on = new Operands(context, IPV4_INDEX);
                commands.begin();
                try {
                    operation.run(on);
                } catch (VerbsException e) {
                    commands.lines.add(Errno.name(e.errno()));
                }
                commands.end();
                commands.lines.addAll(host.find("rxe0").orElseThrow().objects());
                file.close(); // with all objects, so that none keeps others
            } catch (VerbsException e) {
                assertThat(e.errno()).isEqualTo(Errno.EBADF);
            }
            String title = operation + " " + kernel + (older ? " by write commands" : "");
            Path folder = Files.createDirectories(Path.of("target/commands"));
            Files.write(folder.resolve(title.replace(' ', '-') + ".txt"), commands.lines);
            if (!commands.lines.isEmpty()) {
                results.add(title + ": " + commands.lines.size() + " lines, " + checksum(commands.lines));
            }
        }
    }

    private static String checksum(List<String> lines) {
        var sum = new CRC32();
        sum.update(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    @Test
    void areAnsweredAsRecorded() throws Exception {
        run(KernelProfile.LINUX_7_2, false);
        run(KernelProfile.LINUX_7_2, true);
        run(KernelProfile.LINUX_6_1, false);
        Recording.compare(FILE, results);
    }
}
