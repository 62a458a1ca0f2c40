// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import io.verbs4j.tests.support.Repository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The commands that are tried: each of the tools, made so that it ends by itself.
final class ToolCommands {
    private static final String NOWHERE = "192.0.2.1";
    /// A capture file.
    private static final Path CAPTURED =
            Repository.file("tests/src/test/resources/io/verbs4j/tests/simulator/simulated.pcap");

    private ToolCommands() {}

    /// One of them.
    ///
    /// @param kind what it needs
    /// @param line the command and its arguments, between spaces
    record ToolCommand(Kind kind, String line) {
        boolean isJson() {
            return line.contains(" --json");
        }

        /// Returns whether it writes a trace on the standard error.
        boolean isTrace() {
            return line.startsWith("trace");
        }

        /// Returns whether its two ends are commands of their own.
        boolean isTwo() {
            return line.startsWith("together");
        }
    }

    /// @param device name of the device
    /// @param peer name of the device of the other end, which may be the same
    /// @param address IP address of the other end's interface
    /// @param folder for files
    static List<ToolCommand> all(String device, String peer, String address, String folder) {
        var all = new ArrayList<ToolCommand>();
        add(all, Kind.PURE, "abi list", "abi show ib_uverbs_reg_mr --json", "abi errors EINVAL", "abi commands",
                "completion",
                "packets " + CAPTURED + " --json");
        add(all, Kind.LIST, "devices --json");
        add(all, Kind.LOOK, "counters -d DEVICE --json");
        add(all, Kind.NETLINK, "resources -d DEVICE --json", "link list --json");
        add(all, Kind.OPEN, "devinfo -d DEVICE --json", "gids -d DEVICE --json", "trace --data-path devinfo -d DEVICE");
        for (String game : List.of("rc", "uc", "ud", "srq")) {
            add(all, Kind.DATA, both(game + "-pingpong -n 16 -s 64" + (game.equals("srq") ? " -q 2" : "")
                    + " -d PEER",
                    game + "-pingpong -n 16 -s 64" + (game.equals("srq") ? " -q 2" : "")
                            + " -d DEVICE 127.0.0.1"));
        }
        for (String test : List.of("send-lat", "write-bw", "read-lat")) {
            add(all, Kind.DATA, both("perf " + test + " -n 10 -d PEER", "perf " + test + " -n 10 -d DEVICE 127.0.0.1"));
        }
        add(all, Kind.DATA, "step rc-pingpong --no-wait -d DEVICE --peer-device PEER");
        add(all, Kind.CONNECT,
                both("rping -s -a ADDRESS -C 2", "rping -c -a ADDRESS -C 2"),
                both("ucmatose -C 2 -p 7501", "ucmatose -C 2 -p 7501 -s ADDRESS"),
                both("udaddy -C 2 --port 7502", "udaddy -C 2 --port 7502 -s ADDRESS"),
                both("cmtime -c 2 -p 7503 --once", "cmtime -c 2 -p 7503 -s ADDRESS"),
                both("rstream -C 2 -S 64 -p 7504", "rstream -C 2 -S 64 -p 7504 -s ADDRESS"),
                both("riostream -C 2 -S 64 -p 7505", "riostream -C 2 -S 64 -p 7505 -s ADDRESS"),
                both("rcopy --once", "rcopy " + CAPTURED + " " + host(address) + ":" + folder + "/copied"));
        add(all, Kind.TRACE, "trace --capture devinfo -d DEVICE");
        add(all, Kind.LINK, "link delete rxe9", "link add rxe9 --netdev dummy9");
        add(all, Kind.FILE, "trace --html " + folder + "/trace abi errors EINVAL", "manual " + folder);
        add(all, Kind.DOCTOR, "doctor --json", "doctor -q");
        Map<String, String> names = Map.of("DEVICE", device, "PEER", peer, "ADDRESS", address);
        return all.stream().map(command -> new ToolCommand(command.kind, replace(command.line, names))).toList();
    }

    private static String host(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }

    /// Those that wait until something happens: only where they cannot begin.
    static Stream<ToolCommand> waiting(String device) {
        return Stream.of(
                new ToolCommand(Kind.OPEN, "asyncwatch -d " + device),
                new ToolCommand(Kind.OPEN, "perf send-lat -d " + device + " " + NOWHERE),
                new ToolCommand(Kind.CAPTURE, "capture --json -c 1 -i " + device));
    }

    private static String both(String one, String other) {
        return "together " + one + " --and " + other;
    }

    private static void add(List<ToolCommand> all, Kind kind, String... lines) {
        for (String line : lines) {
            all.add(new ToolCommand(kind, line));
        }
    }

    private static String replace(String line, Map<String, String> names) {
        String result = line;
        for (var name : names.entrySet()) {
            result = result.replace(name.getKey(), name.getValue());
        }
        return result;
    }
}
