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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Runs scripts of commands on the simulated connection manager. Compares results, errors and event fields with
/// `connection-manager.txt` ([Recording]). Device tests compare the simulator with real kernels; this test detects
/// changes that device tests do not compare.
class RecordedConnectionManagerTest {
    private static final Path FILE =
            Path.of("src/test/resources/io/verbs4j/simulator/connection-manager.txt");
    private static final int PORT = 7471;
    private static final ConnectionParameters PARAMETERS =
            new ConnectionParameters(0x11, data(3), 4, 9, true, 5, 6, false);

    private final List<String> lines = new ArrayList<>();
    private SimulatedNetwork network = SimulatedNetwork.inVirtualTime(7);
    private SimulatedHost right = network.addHost("right", KernelProfile.LINUX_7_2);
    private DeviceFile client = right.open(CmDevice.NODE);
    private DeviceFile server = client;

    private static PrivateData data(int length) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i + 1);
        }
        return PrivateData.of(bytes);
    }

    private static InetSocketAddress address(String text, int port) {
        return new InetSocketAddress(text, port);
    }

    /// Starts a script on two hosts: the left one has the address 10.9.0.1, the right one 10.9.0.2 and 10.9.0.3.
    private void script(String name, KernelProfile kernel) {
        network.close();
        network = SimulatedNetwork.inVirtualTime(7);
        SimulatedHost left = network.addHost("left", kernel);
        right = network.addHost("right", kernel);
        left.addDevice("rxe0");
        right.addDevice("rxe0");
        right.addDevice("rxe1");
        client = left.open(CmDevice.NODE);
        server = right.open(CmDevice.NODE);
        lines.add("== " + name + " " + kernel);
    }

    /// Executes a command, and records its error and all events within a millisecond.
    private void step(String name, Runnable step) {
        answer(name, () -> {
            step.run();
            return "";
        });
    }

    private int number(String name, Callable<Integer> step) {
        return answer(name, step) instanceof Integer number ? number : -1;
    }

    private Object answer(String name, Callable<?> step) {
        Object result;
        try {
            result = step.call();
        } catch (VerbsException e) {
            result = Errno.name(e.errno());
        } catch (Exception e) {
            throw new AssertionError(name, e);
        }
        lines.add((name + " " + result).strip());
        pass(Duration.ofMillis(1));
        return result;
    }

    private void pass(Duration time) {
        network.advance(time);
        for (DeviceFile file : List.of(client, server)) {
            for (CmEventRecord event = GetEvent.execute(file); event != null; event = GetEvent.execute(file)) {
                lines.add((file == client ? "  client " : "  server ") + text(event));
            }
        }
    }

    private static String text(CmEventRecord event) {
        ConnectionParameters connection = event.connection();
        String data = HexFormat.of().formatHex(connection.privateData().bytes());
        return CmEventCode.of(event.code()).orElseThrow() + " uid " + event.uid() + " id " + event.id() + " status "
                + event.status() + " argument " + event.argument() + " " + connection.responderResources() + " "
                + connection.initiatorDepth() + " " + connection.flowControl() + " " + connection.retryCount() + " "
                + connection.rnrRetry() + " " + connection.sharedReceiveQueue() + " " + connection.privateData().size()
                + " " + data.replaceAll("(00)+$", "") + " " + event.datagram() + " " + event.datagramData().size();
    }

    private int create(DeviceFile file, long uid, PortSpace space) {
        return number("create " + space, () -> CreateIdentifier.execute(file, uid, space, space.queuePairType()));
    }

    private void query(String end, DeviceFile file, int id) {
        answer(end + " addresses", () -> QueryAddresses.execute(file, id));
        answer(end + " gids", () -> QueryGids.execute(file, id));
        answer(end + " paths", () -> QueryPaths.execute(file, id)
                .stream()
                .map(path -> path.flags() + " " + HexFormat.of().formatHex(path.bytes()))
                .collect(Collectors.joining(",")));
        for (QueuePairState state : QueuePairState.values()) {
            answer(end + " attributes " + state, () -> InitQueuePairAttributes.execute(file, id, state));
        }
    }

    private void identifiers() {
        for (PortSpace space : PortSpace.values()) {
            for (QueuePairType type : List.of(QueuePairType.RC, QueuePairType.UD)) {
                number("create " + space + " " + type, () -> CreateIdentifier.execute(client, 5, space, type));
            }
        }
        number("destroy", () -> DestroyIdentifier.execute(client, 1));
        number("destroy again", () -> DestroyIdentifier.execute(client, 1));
        number("create in its place", () -> CreateIdentifier.execute(client, 5, PortSpace.TCP, QueuePairType.RC));
        number("of another file", () -> DestroyIdentifier.execute(server, 0));
        var other = right.open(CmDevice.NODE);
        int mine = create(server, 8, PortSpace.TCP);
        number("migrate", () -> MigrateIdentifier.execute(other, mine, server.fileDescriptor()));
        number("migrate from a file that it has left",
                () -> MigrateIdentifier.execute(other, mine, server.fileDescriptor()));
        number("migrate from no file", () -> MigrateIdentifier.execute(server, mine, -99));
        step("bind in the file that it has left", () -> BindAddress.execute(server, mine, address("0.0.0.0", 0)));
        step("bind in its file", () -> BindAddress.execute(other, mine, address("0.0.0.0", 0)));
        query("idle", client, 0);
        answer("ioctl", () -> Errno.name(-client.ioctl(MemorySegment.NULL)));
        answer("map", () -> client.map(0, 1));
        answer("event file", () -> client.eventFile(1));
        answer("unmap", () -> {
            client.unmap(MemorySegment.NULL);
            return "";
        });
        other.close();
        other.close();
        answer("ioctl after close", () -> Errno.name(-other.ioctl(MemorySegment.NULL)));
        number("create after close", () -> CreateIdentifier.execute(other, 5, PortSpace.TCP, QueuePairType.RC));
    }

    private void damagedCommands() {
        int[] commands = {-1, 0, 1, 2, 3, 4, 5, 7, 10, 12, 13, 14, 16, 19, 20, 21, 22, 23, 24, 25, 26, 99};
        try (Arena arena = Arena.ofConfined()) {
            for (int command : commands) {
                for (int[] sizes : new int[][]{{0, 0, 0}, {0, 1, 0}, {400, 0, 0}, {400, 400, 0}}) {
                    MemorySegment message = arena.allocate(8L + sizes[0], 8);
                    message.set(ValueLayout.JAVA_INT, 0, command);
                    message.set(ValueLayout.JAVA_SHORT, 4, (short) sizes[1]);
                    message.set(ValueLayout.JAVA_SHORT, 6, (short) sizes[2]);
                    int result = client.write(message);
                    lines.add("command " + command + " of " + sizes[0] + " in " + sizes[1] + ": "
                            + (result < 0 ? Errno.name(-result) : Integer.toString(result)));
                }
            }
            lines.add("short " + Errno.name(-client.write(arena.allocate(7))));
        }
    }

    private void options() {
        int identifier = create(client, 1, PortSpace.TCP);
        int datagrams = create(client, 2, PortSpace.UDP);
        for (int round = 0; round < 3; round++) {
            for (int option = 0; option < 5; option++) {
                int number = option;
                step("option " + option + " byte", () -> SetOption.execute(client, identifier, number, (byte) 5));
                step("option " + option + " number 1", () -> SetOption.execute(client, identifier, number, 1));
                step("option " + option + " number 0", () -> SetOption.execute(client, identifier, number, 0));
                step("option of datagrams", () -> SetOption.execute(client, datagrams, number, (byte) 6));
            }
            if (round == 0) {
                step("bind", () -> BindAddress.execute(client, identifier, address("10.9.0.1", 0)));
                step("bind again", () -> BindAddress.execute(client, identifier, address("10.9.0.1", 0)));
                query("bound", client, identifier);
            } else if (round == 1) {
                step("listen", () -> Listen.execute(client, identifier, 1));
                step("listen again", () -> Listen.execute(client, identifier, 1));
                query("listening", client, identifier);
            }
        }
    }

    /// Binds two identifiers in a row to one port, with all combinations of options and addresses.
    private void ports() {
        String[] addresses = {"0.0.0.0", "10.9.0.2", "10.9.0.3", "::", "10.9.0.1"};
        for (String first : addresses) {
            for (String second : addresses) {
                for (int options = 0; options < 16; options++) {
                    var results = new ArrayList<String>();
                    var created = new ArrayList<Integer>();
                    for (int i = 0; i < 2; i++) {
                        int id = CreateIdentifier.execute(server, 1, PortSpace.TCP, QueuePairType.RC);
                        created.add(id);
                        int bits = options >> 2 * i;
                        SetOption.execute(server, id, SetOption.REUSE_ADDRESS, bits & 1);
                        if ((bits & 2) != 0) {
                            SetOption.execute(server, id, SetOption.ADDRESS_FAMILY_ONLY, 1);
                        }
                        String to = i == 0 ? first : second;
                        results.add(CommandResult.errno(() -> BindAddress.execute(server, id, address(to, PORT))));
                        results.add(CommandResult.errno(() -> Listen.execute(server, id, 1)));
                    }
                    created.forEach(id -> DestroyIdentifier.execute(server, id));
                    lines.add(first + " " + second + " " + options + " " + String.join(" ", results));
                }
            }
        }
        int udp = create(server, 1, PortSpace.UDP);
        int tcp = create(server, 1, PortSpace.TCP);
        step("bind UDP", () -> BindAddress.execute(server, udp, address("10.9.0.2", PORT)));
        step("bind TCP", () -> BindAddress.execute(server, tcp, address("10.9.0.2", PORT)));
    }

    private void resolving() {
        String[][] peers = {
                {null, "10.9.0.2"}, {null, "10.9.0.1"}, {null, "10.9.0.77"}, {null, "10.8.0.1"}, {null, "127.0.0.1"},
                {"10.9.0.1", "10.9.0.2"}, {"10.9.0.2", "10.9.0.2"}, {"0.0.0.0", "10.9.0.2"}, {"10.9.0.1", "fe80::1"},
                {null, "fe80::1"}, {null, "::1"}, {"::", "10.9.0.2"}
        };
        for (String[] peer : peers) {
            int id = create(client, 1, PortSpace.TCP);
            step("route too early", () -> ResolveRoute.execute(client, id, 1000));
            step("resolve " + String.join(" to ", String.valueOf(peer[0]), peer[1]),
                    () -> ResolveAddress.execute(client,
                            id, peer[0] == null ? null : address(peer[0], 0), address(peer[1], PORT), 2000));
            step("resolve again", () -> ResolveAddress.execute(client, id, null, address(peer[1], PORT), 2000));
            query("resolved", client, id);
            pass(Duration.ofMillis(1990));
            lines.add("later");
            pass(Duration.ofMillis(5000));
            step("route within 0", () -> ResolveRoute.execute(client, id, 0));
            step("route", () -> ResolveRoute.execute(client, id, 1000));
            step("route again", () -> ResolveRoute.execute(client, id, 1000));
            query("routed", client, id);
            number("destroy", () -> DestroyIdentifier.execute(client, id));
        }
    }

    /// Returns an identifier whose route to the server is resolved.
    private int routed(long uid, PortSpace space) {
        int id = CreateIdentifier.execute(client, uid, space, space.queuePairType());
        ResolveAddress.execute(client, id, null, address("10.9.0.2", PORT), 2000);
        network.advance(Duration.ofMillis(1));
        ResolveRoute.execute(client, id, 2000);
        pass(Duration.ofMillis(1));
        return id;
    }

    private int listener(PortSpace space, String at, int backlog) {
        int id = CreateIdentifier.execute(server, 70, space, space.queuePairType());
        BindAddress.execute(server, id, address(at, PORT));
        Listen.execute(server, id, backlog);
        return id;
    }

    /// Returns the identifier of the request that the server receives next.
    private int request(int id, ConnectionParameters parameters) {
        Connect.execute(client, id, parameters);
        network.advance(Duration.ofMillis(1));
        CmEventRecord event = GetEvent.execute(server);
        if (event == null) {
            pass(Duration.ofMillis(1));
            lines.add("no request");
            return -1;
        }
        lines.add("  server " + text(event));
        pass(Duration.ofMillis(1));
        return event.id();
    }

    private void connecting(String at) {
        int listener = listener(PortSpace.TCP, at, 2);
        int id = routed(50, PortSpace.TCP);
        step("accept without a request", () -> Accept.execute(client, id, 1, PARAMETERS));
        step("confirm without a request", () -> Accept.confirm(client, id));
        step("reject without a request", () -> Reject.execute(client, id, 0, data(1)));
        step("disconnect without a request", () -> Disconnect.execute(client, id));
        step("notify without a request", () -> Notify.execute(client, id, 4));
        step("57 bytes", () -> Connect.execute(client, id, PARAMETERS.withPrivateData(data(57))));
        int incoming = request(id, PARAMETERS.withPrivateData(data(56)));
        step("connect again", () -> Connect.execute(client, id, PARAMETERS));
        query("asking", client, id);
        query("asked", server, incoming);
        step("197 bytes", () -> Accept.execute(server, incoming, 71, PARAMETERS.withPrivateData(data(197))));
        step("after a failed accept", () -> Accept.execute(server, incoming, 71, PARAMETERS));
        number("destroy", () -> DestroyIdentifier.execute(server, incoming));
        number("destroy", () -> DestroyIdentifier.execute(client, id));

        int second = routed(51, PortSpace.TCP);
        int answering = request(second, PARAMETERS);
        step("accept", () -> Accept.execute(
                server, answering, 72, new ConnectionParameters(0x12, data(196), 3, 2, false, 1, 2, true)));
        query("answered", client, second);
        query("answering", server, answering);
        step("notify another event", () -> Notify.execute(server, answering, 5));
        step("confirm", () -> Accept.confirm(client, second));
        step("notify established", () -> Notify.execute(server, answering, 4));
        query("connected", client, second);
        query("connected", server, answering);
        step("accept again", () -> Accept.execute(server, answering, 72, PARAMETERS));
        step("reject an established connection", () -> Reject.execute(server, answering, 0, PrivateData.NONE));
        int stale = routed(52, PortSpace.TCP);
        int none = request(stale, PARAMETERS);
        lines.add("stale " + none);
        step("disconnect", () -> Disconnect.execute(client, second));
        step("disconnect again", () -> Disconnect.execute(client, second));
        step("answer", () -> Disconnect.execute(server, answering));
        query("ended", client, second);
        pass(Duration.ofSeconds(1));
        lines.add("later");
        pass(Duration.ofSeconds(600));
        number("destroy", () -> DestroyIdentifier.execute(client, second));
        number("destroy", () -> DestroyIdentifier.execute(server, answering));

        int third = routed(53, PortSpace.TCP);
        int rejecting = request(third, PARAMETERS);
        step("149 bytes", () -> Reject.execute(server, rejecting, 7, data(149)));
        step("reject", () -> Reject.execute(server, rejecting, 7, data(148)));
        step("reject again", () -> Reject.execute(server, rejecting, 7, data(1)));
        query("rejected", client, third);

        int twice = routed(56, PortSpace.TCP);
        int acceptedTwice = request(twice, PARAMETERS);
        step("accept", () -> Accept.execute(server, acceptedTwice, 73, PARAMETERS));
        step("accept again, which rejects", () -> Accept.execute(server, acceptedTwice, 73, PARAMETERS));

        int fourth = routed(54, PortSpace.TCP);
        int notified = request(fourth, PARAMETERS.withQueuePairNumber(0x61));
        step("accept", () -> Accept.execute(server, notified, 74, PARAMETERS.withQueuePairNumber(0x14)));
        step("notify", () -> Notify.execute(server, notified, 4));
        step("reject a response", () -> Reject.execute(client, fourth, 0, data(2)));
        pass(Duration.ofSeconds(600));
        number("destroy the listener", () -> DestroyIdentifier.execute(server, listener));
        int fifth = routed(55, PortSpace.TCP);
        request(fifth, PARAMETERS);
    }

    private void abandoning() {
        listener(PortSpace.TCP, "10.9.0.2", 1);
        int unread = routed(60, PortSpace.TCP);
        int more = routed(61, PortSpace.TCP);
        Connect.execute(client, unread, PARAMETERS);
        Connect.execute(client, more, PARAMETERS.withQueuePairNumber(0x21));
        network.advance(Duration.ofMillis(1));
        lines.add("read two requests, of which the backlog has room for one");
        pass(Duration.ofMillis(1));
        pass(Duration.ofSeconds(5));
        number("destroy while asking", () -> DestroyIdentifier.execute(client, unread));
        pass(Duration.ofSeconds(100));
        number("destroy while asking", () -> DestroyIdentifier.execute(client, more));
        int silent = routed(62, PortSpace.TCP);
        int incoming = request(silent, PARAMETERS.withQueuePairNumber(0x31));
        step("accept", () -> Accept.execute(server, incoming, 75, PARAMETERS.withQueuePairNumber(0x32)));
        lines.add("no confirmation");
        pass(Duration.ofSeconds(140));
        lines.add("later");
        pass(Duration.ofSeconds(10));
        query("given up", server, incoming);
        int asking = routed(63, PortSpace.TCP);
        int unanswered = request(asking, PARAMETERS.withQueuePairNumber(0x41));
        lines.add("no answer");
        pass(Duration.ofSeconds(140));
        lines.add("later");
        pass(Duration.ofSeconds(200));
        number("destroy the request", () -> DestroyIdentifier.execute(server, unanswered));
        int last = routed(64, PortSpace.TCP);
        int open = request(last, PARAMETERS.withQueuePairNumber(0x51));
        Accept.execute(server, open, 76, PARAMETERS.withQueuePairNumber(0x52));
        pass(Duration.ofMillis(1));
        Accept.confirm(client, last);
        pass(Duration.ofMillis(1));
        lines.add(right.identifiers().toString());
        step("remove the device", () -> right.removeDevice("rxe0"));
        lines.add(right.identifiers().toString());
        step("disconnect", () -> Disconnect.execute(client, last));
        pass(Duration.ofSeconds(300));
        client.close();
        network.advance(Duration.ofSeconds(300));
        client = server;
        pass(Duration.ofMillis(1));
    }

    private void datagrams() {
        int listener = listener(PortSpace.UDP, "10.9.0.2", 4);
        int id = routed(80, PortSpace.UDP);
        step("181 bytes", () -> Connect.execute(client, id, PARAMETERS.withPrivateData(data(181))));
        int asked = request(id, PARAMETERS.withPrivateData(data(180)));
        query("asking", client, id);
        query("asked", server, asked);
        step("137 bytes", () -> Accept.execute(server, asked, 81, PARAMETERS.withPrivateData(data(137))));
        int second = routed(82, PortSpace.UDP);
        int answered = request(second, PARAMETERS);
        step("answer", () -> Accept.execute(server, answered, 83, PARAMETERS.withPrivateData(data(136))));
        step("answer again", () -> Accept.execute(server, answered, 83, PARAMETERS));
        query("answered", client, second);
        int third = routed(84, PortSpace.UDP);
        int refused = request(third, PARAMETERS);
        step("reject", () -> Reject.execute(server, refused, 9, data(4)));
        int fourth = routed(85, PortSpace.UDP);
        int left = request(fourth, PARAMETERS);
        number("destroy", () -> DestroyIdentifier.execute(server, left));
        int fifth = routed(86, PortSpace.UDP);
        int confirmed = request(fifth, PARAMETERS);
        step("confirm", () -> Accept.confirm(server, confirmed));
        number("destroy the listener", () -> DestroyIdentifier.execute(server, listener));
        int sixth = routed(87, PortSpace.UDP);
        request(sixth, PARAMETERS);
        lines.add("the server is gone");
        server.close();
        server = client;
    }

    private void groups() {
        InetSocketAddress group = address("239.1.2.3", 0);
        int connected = create(client, 1, PortSpace.TCP);
        int id = create(client, 2, PortSpace.UDP);
        number("join unbound", () -> JoinMulticast.execute(client, id, 5, group, false));
        step("bind", () -> BindAddress.execute(client, connected, address("10.9.0.1", 0)));
        step("bind", () -> BindAddress.execute(client, id, address("10.9.0.1", 0)));
        number("join of a connection", () -> JoinMulticast.execute(client, connected, 5, group, false));
        number("join no group", () -> JoinMulticast.execute(client, id, 5, address("10.9.0.2", 0), false));
        step("type of service", () -> SetOption.execute(client, id, SetOption.TYPE_OF_SERVICE, (byte) 9));
        int first = number("join", () -> JoinMulticast.execute(client, id, 5, group, false));
        int second = number("join to send", () -> JoinMulticast.execute(client, id, 6, group, true));
        number("leave", () -> LeaveMulticast.execute(client, second));
        number("leave again", () -> LeaveMulticast.execute(client, second));
        number("leave by another file", () -> LeaveMulticast.execute(server, first));
        int unseen = JoinMulticast.execute(client, id, 7, group, false);
        number("leave before the event", () -> LeaveMulticast.execute(client, unseen));
        number("destroy", () -> DestroyIdentifier.execute(client, id));
        number("leave after that", () -> LeaveMulticast.execute(client, first));
    }

    /// Events move with their identifier, which counts only events that a program has read.
    private void writtenEvents() {
        int id = create(server, 9, PortSpace.TCP);
        int other = create(server, 10, PortSpace.TCP);
        step("write", () -> WriteEvent.execute(server, id, -5, 0x1234_5678_9abcL));
        if (right.profile() == KernelProfile.LINUX_7_2) {
            WriteEvent.execute(server, id, 1, 2);
            WriteEvent.execute(server, other, 3, 4);
        }
        client = right.open(CmDevice.NODE);
        number("migrate", () -> MigrateIdentifier.execute(client, id, server.fileDescriptor()));
        number("destroy", () -> DestroyIdentifier.execute(client, id));
        number("destroy", () -> DestroyIdentifier.execute(server, other));
    }

    @Test
    void answersAsRecorded() throws IOException {
        for (KernelProfile kernel : KernelProfile.values()) {
            script("identifiers", kernel);
            identifiers();
            script("connections", kernel);
            connecting("10.9.0.2");
            script("written events", kernel);
            writtenEvents();
        }
        KernelProfile kernel = KernelProfile.LINUX_7_2;
        script("connections to the wildcard", kernel);
        connecting("0.0.0.0");
        script("damaged commands", kernel);
        damagedCommands();
        script("options", kernel);
        options();
        script("ports", kernel);
        ports();
        script("resolving", kernel);
        resolving();
        script("abandoned connections", kernel);
        abandoning();
        script("datagrams", kernel);
        datagrams();
        script("groups", kernel);
        groups();
        network.close();
        Recording.compare(FILE, lines);
    }
}
