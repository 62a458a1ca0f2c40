// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static io.verbs4j.tools.doctor.acceptance.Peer.require;

import io.verbs4j.Device;
import io.verbs4j.GidSelector;
import io.verbs4j.tools.common.CommandRunner;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.LinkLayer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Compares results of verbs4j's commands with C programs on the same device: those of libibverbs and perftest, if
/// installed.
final class BesideC {
    private static final long LONGEST_SECONDS = 120;
    private static final String LISTENS = " 0A ";
    private static final String LOCALHOST = "127.0.0.1";

    /// Lines that are not compared: drivers' own attributes, which verbs4j prints as 0, and attributes without a name
    /// in older versions of `ibv_devinfo`.
    private static final List<String> NOT_COMPARED = List.of(
            "tso_caps", "max_tso", "supported_qp", "rss_caps", "max_rwq", "rx_hash", "packet_pacing", "qp_rate",
            "SUPPORT_",
            "Unknown flags");

    private final Bench bench;
    private final Device device;
    private final Checklist list;
    private final CommandRunner commands;

    BesideC(Bench bench, Checklist list, CommandRunner commands) {
        this.bench = bench;
        this.device = bench.context().device();
        this.list = list;
        this.commands = commands;
    }

    void run() {
        list.check("beside C: attributes, as ibv_devinfo -v", this::attributes);
        for (boolean clientInC : new boolean[]{true, false}) {
            for (boolean serverInC : new boolean[]{true, false}) {
                String pairing = name(clientInC) + " to " + name(serverInC);
                list.check("beside C: ping-pong, " + pairing, () -> pingPong(clientInC, serverInC));
            }
        }
        if (bench.connectsByAddress()) {
            list.check("beside C: rping, C to Java", () -> rping(true, false));
            list.check("beside C: rping, Java to C", () -> rping(false, true));
            return;
        }
        for (String test : List.of("write-bw", "read-lat", "send-bw")) {
            list.check("beside C: perf " + test + ", C to Java", () -> perf(test, true, false));
            list.check("beside C: perf " + test + ", Java to C", () -> perf(test, false, true));
        }
    }

    private static String name(boolean inC) {
        return inC ? "C" : "Java";
    }

    private void need(String program) {
        if (!Files.exists(device.node())) {
            throw new LeftOutException("there is no device file " + device.node() + ", which C programs need");
        }
        if (!Program.exists(program)) {
            throw new LeftOutException(program + " is not installed");
        }
    }

    private String attributes() throws Exception {
        need("ibv_devinfo");
        String[] arguments = {"-v", "-d", device.name()};
        var ours = new StringWriter();
        int code = commands.run(
                new PrintWriter(ours), new PrintWriter(ours), "devinfo", arguments[0], arguments[1], arguments[2]);
        require(code == 0, "verbs devinfo failed: " + ours);
        String theirs;
        try (Program devinfo = Program.ofC(List.of("ibv_devinfo", arguments[0], arguments[1], arguments[2]))) {
            theirs = devinfo.await(LONGEST_SECONDS);
        }
        var onlyTheirs = lines(theirs);
        var onlyOurs = lines(ours.toString());
        int compared = onlyTheirs.size();
        for (String line : List.copyOf(onlyTheirs)) {
            if (onlyOurs.remove(line)) {
                onlyTheirs.remove(line);
            }
        }
        if (theirs.contains("Unknown flags")) {
            onlyOurs.removeIf(line -> !line.contains(":")); // names of flags that ibv_devinfo lacks
        }
        require(onlyTheirs.isEmpty() && onlyOurs.isEmpty(), "only in C: " + onlyTheirs + "; only in Java: " + onlyOurs);
        return compared + " lines are equal";
    }

    private static List<String> lines(String text) {
        return new ArrayList<>(text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && NOT_COMPARED.stream().noneMatch(line::startsWith))
                .toList());
    }

    private String pingPong(boolean clientInC, boolean serverInC) throws Exception {
        if (clientInC || serverInC) {
            need("ibv_rc_pingpong");
        }
        if (bench.connectsByAddress()) {
            throw new LeftOutException(
                    "these programs exchange addresses over TCP, but this device connects only by IP address");
        }
        int port = freePort();
        var arguments = new ArrayList<>(List.of("-d", device.name(), "-p", "" + port, "-s", "4096", "-n", "200", "-c"));
        arguments.addAll(gid("-g"));
        return play(
                () -> start(serverInC, "ibv_rc_pingpong", List.of("rc-pingpong"), arguments),
                () -> start(clientInC, "ibv_rc_pingpong", List.of("rc-pingpong"), with(arguments, LOCALHOST)),
                port);
    }

    private String perf(String test, boolean clientInC, boolean serverInC) throws Exception {
        String program = "ib_" + test.replace('-', '_');
        need(program);
        int port = freePort();
        var arguments = new ArrayList<>(List.of("-d", device.name(), "-p", "" + port, "-s", "4096", "-n", "500", "-F"));
        arguments.addAll(gid("-x"));
        return play(
                () -> start(serverInC, program, List.of("perf", test), arguments),
                () -> start(clientInC, program, List.of("perf", test), with(arguments, LOCALHOST)),
                port);
    }

    /// Runs rping, which connects by address. Ping-pong does not, and perftest does in its own way.
    private String rping(boolean clientInC, boolean serverInC) throws Exception {
        need("rping");
        String own = Bench.ownAddress(device).getHostAddress();
        List<String> arguments = List.of("-a", own, "-p", "" + freePort(), "-C", "20", "-S", "1000");
        return play(
                () -> start(serverInC, "rping", List.of("rping"), with(arguments, "-s")),
                () -> start(clientInC, "rping", List.of("rping"), with(arguments, "-c")),
                0);
    }

    private List<String> gid(String option) {
        if (!bench.context().port(bench.port()).linkLayer().equals(LinkLayer.ETHERNET)) {
            return List.of();
        }
        int index = GidSelector.automatic().select(bench.context(), bench.port()).entry().index();
        return List.of(option, "" + index);
    }

    private static List<String> with(List<String> arguments, String last) {
        var all = new ArrayList<>(arguments);
        all.add(last);
        return all;
    }

    /// Starts a program.
    @FunctionalInterface
    private interface Start {
        Program run() throws Exception;
    }

    private Program start(boolean inC, String program, List<String> command, List<String> arguments)
            throws IOException {
        var all = new ArrayList<>(inC ? List.of(program) : command);
        all.addAll(arguments);
        return inC ? Program.ofC(all) : Program.ofJava(commands, all);
    }

    /// @param port the server's port; 0 if it is not visible
    private static String play(Start server, Start client, int port) throws Exception {
        try (Program served = server.run()) {
            awaitListener(served, port);
            try (Program asking = client.run()) {
                String printed = asking.await(LONGEST_SECONDS);
                served.await(LONGEST_SECONDS);
                return figures(printed);
            }
        }
    }

    private static void awaitListener(Program server, int port) throws Exception {
        String local = String.format(Locale.ROOT, ":%04X ", port);
        long deadline = System.nanoTime() + LONGEST_SECONDS * 1_000_000_000;
        if (port == 0) {
            Thread.sleep(2000);
        }
        while (port != 0 && !listens("/proc/net/tcp", local) && !listens("/proc/net/tcp6", local)) {
            if (server.hasEnded() || System.nanoTime() > deadline) {
                server.await(0); // reports the cause
                throw new ToolException("the server does not listen on TCP port " + port);
            }
            Thread.sleep(20);
        }
    }

    private static boolean listens(String table, String local) throws IOException {
        Path file = Path.of(table);
        return Files.exists(file)
                && Files.readAllLines(file).stream().anyMatch(line -> line.contains(local) && line.contains(LISTENS));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /// Returns the last line with figures.
    private static String figures(String printed) {
        return printed.lines()
                .filter(line -> line.contains("usec/iter") || line.strip().matches("[0-9]+( +[0-9.]+)+"))
                .reduce((before, last) -> last)
                .map(line -> line.strip().replaceAll(" +", " "))
                .orElse("");
    }
}
