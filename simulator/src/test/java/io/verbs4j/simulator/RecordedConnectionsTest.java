// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

import io.verbs4j.abi.Recording;
import io.verbs4j.abi.cm.Accept;
import io.verbs4j.abi.cm.BindAddress;
import io.verbs4j.abi.cm.CmDevice;
import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CmEventRecord;
import io.verbs4j.abi.cm.Connect;
import io.verbs4j.abi.cm.CreateIdentifier;
import io.verbs4j.abi.cm.DestroyIdentifier;
import io.verbs4j.abi.cm.Disconnect;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.cm.InitQueuePairAttributes;
import io.verbs4j.abi.cm.JoinMulticast;
import io.verbs4j.abi.cm.LeaveMulticast;
import io.verbs4j.abi.cm.Listen;
import io.verbs4j.abi.cm.MigrateIdentifier;
import io.verbs4j.abi.cm.Notify;
import io.verbs4j.abi.cm.QueryAddresses;
import io.verbs4j.abi.cm.QueryGids;
import io.verbs4j.abi.cm.QueryPaths;
import io.verbs4j.abi.cm.Reject;
import io.verbs4j.abi.cm.ResolveAddress;
import io.verbs4j.abi.cm.ResolveRoute;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.cm.WriteEvent;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/// Two simulated connection managers answer random commands in virtual time as they did when they were recorded: with
/// the same results, events and attributes, on any kernel. `connections.txt` ([Recording]) has checksums; a run writes
/// the lines behind them to `target/connections`. [RecordedConnectionManagerTest] runs chosen scripts.
class RecordedConnectionsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/simulator/connections.txt");
    private static final int SEEDS = 4;
    private static final int STEPS = 1200;
    private static final int IDENTIFIERS = 8;
    private static final int[] PORTS = {0, 7471, 7471, 7472};
    private static final int[] DATA = {0, 1, 56, 57, 136, 137, 148, 149, 180, 181, 196, 197, 255};
    private static final long[] MILLIS = {1, 1, 1, 20, 600, 3000, 20_000, 200_000};
    private static final Set<CmEventCode> ANSWERED = EnumSet.of(
            CmEventCode.CONNECT_REQUEST, CmEventCode.CONNECT_RESPONSE, CmEventCode.ESTABLISHED,
            CmEventCode.DISCONNECTED);
    private static final String[] ADDRESSES = {
            "10.9.0.1", "10.9.0.2", "10.9.0.3", "10.9.0.1", "10.9.0.2", "0.0.0.0", "::", "10.9.0.77", "10.8.0.1",
            "127.0.0.1", "fe80::ff:fe00:1", "fe80::ff:fe00:2", "239.1.2.3"
    };

    private final List<String> results = new ArrayList<>();

    /// One run of random steps.
    private static final class Run {
        private final List<String> lines = new ArrayList<>();
        private final Random random;
        private final SimulatedNetwork network;
        private final SimulatedHost left;
        private final SimulatedHost right;
        private final List<DeviceFile> files = new ArrayList<>();
        private final List<List<Integer>> identifiers = new ArrayList<>();
        private final List<Integer> memberships = new ArrayList<>();
        /// The latest events of connections.
        private final List<Hint> hints = new ArrayList<>();
        private long uid;

        /// An event that a program answers.
        private record Hint(int file, int id, int event) {}

        Run(KernelProfile kernel, long seed) {
            random = new Random(seed);
            network = SimulatedNetwork.inVirtualTime(seed);
            left = network.addHost("left", kernel);
            right = network.addHost("right", kernel);
            left.addDevice("rxe0");
            right.addDevice("rxe0");
            right.addDevice("rxe1");
            network.conditions(LinkConditions.PERFECT.withDelay(Duration.ofMillis(seed)));
            for (SimulatedHost host : List.of(left, right, right)) {
                files.add(host.open(CmDevice.NODE));
                identifiers.add(new ArrayList<>());
            }
        }

        private boolean chance(int percent) {
            return random.nextInt(100) < percent;
        }

        private InetSocketAddress address() {
            return new InetSocketAddress(ADDRESSES[random.nextInt(ADDRESSES.length)],
                    PORTS[random.nextInt(PORTS.length)]);
        }

        /// Returns an address of a peer that is probably there.
        private InetSocketAddress peer() {
            return chance(80) ? new InetSocketAddress(ADDRESSES[random.nextInt(3)], 7471) : address();
        }

        private ConnectionParameters parameters() {
            var bytes = new byte[chance(70) ? random.nextInt(50) : DATA[random.nextInt(DATA.length)]];
            random.nextBytes(bytes);
            return new ConnectionParameters(chance(60) ? 0x100 + random.nextInt(1000) : random.nextInt(4),
                    PrivateData.of(bytes), random.nextInt(6), random.nextInt(6), chance(50), random.nextInt(8),
                    random.nextInt(8), chance(50));
        }

        /// Executes a command, and adds its result or its error.
        private Object step(String name, Callable<?> command) {
            Object result;
            try {
                result = command.call();
            } catch (VerbsException e) {
                result = Errno.name(e.errno());
            } catch (Exception e) {
                throw new AssertionError(name, e);
            }
            lines.add(name + " " + result);
            return result;
        }

        private void run(String name, Runnable command) {
            step(name, () -> {
                command.run();
                return "";
            });
        }

        void run() {
            for (int i = 0; i < files.size(); i++) {
                for (PortSpace space : List.of(PortSpace.TCP, PortSpace.UDP)) {
                    int id = CreateIdentifier.execute(files.get(i), ++uid, space, space.queuePairType());
                    listen(files.get(i), id, 2);
                    identifiers.get(i).add(id);
                }
            }
            for (int i = 0; i < STEPS; i++) {
                int at = random.nextInt(files.size());
                List<Integer> known = identifiers.get(at);
                DeviceFile file = files.get(at);
                if (known.isEmpty() || (known.size() < IDENTIFIERS && chance(5))) {
                    create(file, known);
                } else if (!hints.isEmpty() && chance(50)) {
                    follow(hints.remove(random.nextInt(hints.size())));
                } else if (chance(25)) {
                    connect(at, file);
                } else if (chance(10)) {
                    listen(file, known.get(random.nextInt(known.size())), 1 + random.nextInt(4));
                } else {
                    command(at, file, chance(98) ? known.get(random.nextInt(known.size())) : random.nextInt(30));
                }
                if (chance(60)) {
                    Duration time =
                            Duration.ofMillis(MILLIS[chance(80) ? random.nextInt(4) : random.nextInt(MILLIS.length)]);
                    network.advance(time);
                }
                if (chance(70)) {
                    events();
                }
            }
            files.forEach(DeviceFile::close);
            lines.add(network.now() + " " + left.identifiers() + right.identifiers());
            network.close();
        }

        private void create(DeviceFile file, List<Integer> known) {
            PortSpace space = chance(60) ? PortSpace.TCP
                    : chance(80) ? PortSpace.UDP
                            : PortSpace.values()[random.nextInt(PortSpace.values().length)];
            QueuePairType type = chance(90) ? space.queuePairType() : QueuePairType.UC;
            long name = ++uid;
            if (step("create " + space,
                    () -> CreateIdentifier.execute(file, name, space, type)) instanceof Integer id) {
                known.add(id);
            }
        }

        private void listen(DeviceFile file, int id, int backlog) {
            run("bind", () -> BindAddress.execute(file, id,
                    new InetSocketAddress(ADDRESSES[random.nextInt(7)], 7471)));
            run("listen", () -> Listen.execute(file, id, backlog));
        }

        /// Takes all steps to a connection request.
        private void connect(int at, DeviceFile file) {
            PortSpace space = chance(70) ? PortSpace.TCP : PortSpace.UDP;
            long name = ++uid;
            int id = CreateIdentifier.execute(file, name, space, space.queuePairType());
            identifiers.get(at).add(id);
            run("resolve address", () -> ResolveAddress.execute(file, id, null,
                    new InetSocketAddress(ADDRESSES[random.nextInt(3)], 7471), 2000));
            network.advance(Duration.ofMillis(1));
            run("resolve route", () -> ResolveRoute.execute(file, id, 100));
            network.advance(Duration.ofMillis(1));
            run("connect", () -> Connect.execute(file, id, parameters()));
        }

        /// Answers an event as a program would, or almost.
        private void follow(Hint hint) {
            DeviceFile file = files.get(hint.file);
            int id = hint.id;
            int choice = random.nextInt(8);
            if (choice == 0) {
                destroy(hint.file, file, id);
            } else if (choice == 1) {
                command(hint.file, file, id);
            } else if (choice == 2) {
                step("attributes", () -> InitQueuePairAttributes.execute(
                        file, id, QueuePairState.values()[1 + random.nextInt(3)]));
                hints.add(hint);
            } else if (hint.event == CmEventCode.CONNECT_REQUEST.number()) {
                if (choice == 3) {
                    run("reject", () -> Reject.execute(file, id, random.nextInt(9), parameters().privateData()));
                } else {
                    run("accept", () -> Accept.execute(file, id, ++uid, parameters()));
                    if (choice == 4) {
                        run("notify", () -> Notify.execute(file, id, 4));
                    }
                }
            } else if (hint.event == CmEventCode.CONNECT_RESPONSE.number()) {
                if (choice == 3) {
                    run("reject", () -> Reject.execute(file, id, random.nextInt(9), parameters().privateData()));
                } else {
                    run("confirm", () -> Accept.confirm(file, id));
                    hints.add(new Hint(hint.file, id, CmEventCode.ESTABLISHED.number()));
                }
            } else {
                run("disconnect", () -> Disconnect.execute(file, id));
            }
        }

        private void destroy(int at, DeviceFile file, int id) {
            if (step("destroy", () -> DestroyIdentifier.execute(file, id)) instanceof Integer) {
                identifiers.get(at).remove(Integer.valueOf(id));
            }
        }

        private void events() {
            for (int i = 0; i < files.size(); i++) {
                for (CmEventRecord event = GetEvent.execute(files.get(i)); event != null;
                        event = GetEvent.execute(files.get(i))) {
                    lines.add("  " + i + " " + CmEventCode.of(event.code()).orElseThrow() + " " + event);
                    if (event.code() == CmEventCode.CONNECT_REQUEST.number()) {
                        identifiers.get(i).add(event.id());
                    }
                    if (ANSWERED.contains(CmEventCode.of(event.code()).orElseThrow())) {
                        hints.add(new Hint(i, event.id(), event.code()));
                    }
                }
            }
        }

        private void command(int at, DeviceFile file, int id) {
            switch (random.nextInt(34)) {
                case 0 -> run("bind", () -> BindAddress.execute(file, id, address()));
                case 1, 2, 3 -> run("resolve address", () -> ResolveAddress.execute(file, id,
                        chance(80) ? null : address(), peer(), random.nextInt(3000)));
                case 4, 5, 6 -> run("resolve route", () -> ResolveRoute.execute(file, id, chance(95) ? 100 : 0));
                case 7 -> listen(file, id, random.nextInt(4));
                case 8, 9, 10 -> run("connect", () -> Connect.execute(file, id, parameters()));
                case 11, 12, 13 -> run("accept", () -> Accept.execute(file, id, ++uid, parameters()));
                case 14, 15 -> run("confirm", () -> Accept.confirm(file, id));
                case 16 -> run("reject", () -> Reject.execute(
                        file, id, random.nextInt(3), parameters().privateData()));
                case 17, 18 -> run("disconnect", () -> Disconnect.execute(file, id));
                case 19 -> run("notify", () -> Notify.execute(file, id, chance(90) ? 4 : random.nextInt(8)));
                case 20, 21 -> destroy(at, file, id);
                case 22 -> option(file, id);
                case 23 -> step("addresses", () -> QueryAddresses.execute(file, id));
                case 24 -> step("gids", () -> QueryGids.execute(file, id));
                case 25 -> step("paths", () -> QueryPaths.execute(file, id)
                        .stream()
                        .map(path -> path.flags() + new java.math.BigInteger(path.bytes()).toString(16))
                        .toList());
                case 26, 27, 28 -> step("attributes", () -> InitQueuePairAttributes.execute(
                        file, id, QueuePairState.values()[random.nextInt(4)]));
                case 29 -> multicast(file, id);
                case 30 -> {
                    DeviceFile other = files.get(random.nextInt(files.size()));
                    if (step("migrate", () -> MigrateIdentifier.execute(
                            other, id, chance(90) ? file.fileDescriptor() : -99)) instanceof Integer) {
                        identifiers.get(at).remove(Integer.valueOf(id));
                        identifiers.get(files.indexOf(other)).add(id);
                    }
                }
                case 31 -> run("write", () -> WriteEvent.execute(file, id, random.nextInt(9), random.nextLong()));
                case 32 -> host();
                default -> lines.add(left.identifiers() + " " + right.identifiers());
            }
        }

        private void option(DeviceFile file, int id) {
            int option = random.nextInt(5);
            if (chance(50)) {
                run("option " + option, () -> SetOption.execute(file, id, option, (byte) random.nextInt(30)));
            } else {
                run("option " + option, () -> SetOption.execute(file, id, option, random.nextInt(2)));
            }
        }

        private void multicast(DeviceFile file, int id) {
            if (!memberships.isEmpty() && chance(40)) {
                int membership = memberships.get(random.nextInt(memberships.size()));
                step("leave", () -> LeaveMulticast.execute(file, membership));
            } else if (step("join", () -> JoinMulticast.execute(file, id, ++uid,
                    new InetSocketAddress("239.1.2." + random.nextInt(3), 0), chance(50))) instanceof Integer joined) {
                        memberships.add(joined);
                    }
        }

        /// Changes the devices of the hosts.
        private void host() {
            switch (random.nextInt(12)) {
                case 0 -> {
                    right.removeDevice("rxe1");
                    lines.add("removed");
                }
                case 1 -> {
                    if (right.find("rxe1").isEmpty()) {
                        right.addDevice("rxe1").addAddress(InetAddress.ofLiteral("10.9.0.3"));
                    }
                }
                case 2 -> right.find("rxe0").orElseThrow().mtu(chance(50) ? 1500 : 5000);
                case 3 -> left.find("rxe0").orElseThrow().removeAddress(InetAddress.ofLiteral("10.9.0.1"));
                default -> {
                    if (!left.addresses("veth0").contains(InetAddress.ofLiteral("10.9.0.1"))) {
                        left.find("rxe0").orElseThrow().addAddress(InetAddress.ofLiteral("10.9.0.1"));
                    }
                }
            }
        }
    }

    @Test
    void areAsRecorded() throws IOException {
        for (KernelProfile kernel : KernelProfile.values()) {
            for (int seed = 0; seed < SEEDS; seed++) {
                var run = new Run(kernel, seed);
                run.run();
                String title = "connections " + kernel + " " + seed;
                Path folder = Files.createDirectories(Path.of("target/connections"));
                Files.write(folder.resolve(title.replace(' ', '-') + ".txt"), run.lines);
                var sum = new CRC32();
                sum.update(String.join("\n", run.lines).getBytes(StandardCharsets.UTF_8));
                results.add(title + ": " + run.lines.size() + " lines, " + Long.toHexString(sum.getValue()));
            }
        }
        Recording.compare(FILE, results);
    }
}
