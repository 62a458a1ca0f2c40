// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.JsonValues;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.tools.Main;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// The standard output of a command with `--json` is JSON or nothing, whatever else is asked and whatever goes wrong.
@DeviceTest
@Needs.NoKernel("the same commands print the same for real devices")
class JsonOutputIT {
    private static final int ROUNDS = System.getProperty("verbs4j.simulate") == null ? 8 : 40;

    /// Options that make a command wait, change something or write files. Help is no answer of the command.
    private static final Set<String> LEFT_OUT =
            Set.of("--help", "--watch", "--interval", "--interface", "--acceptance", "--report",
                    "--write", "--peer", "--stacktrace", "--json", "--simulate");
    private static final List<String> VALUES =
            List.of(Rxe.LEFT, Rxe.RIGHT, "none", "", "0", "1", "-1", "99999999999", "1M", "qp",
                    "qp,mr", "\"", "\\", "ä→", "/nowhere", "256", "0x11", "true");

    /// Words behind a command, of which one line is drawn each time; a command may need one to do anything.
    private static final Map<String, List<String>> WORDS = new TreeMap<>(Map.of(
            "abi show", List.of("rxe_send_wqe", "ib_uverbs_reg_mr", "reg_mr", "\"", ""),
            "abi check", List.of(""),
            "capture", List.of("-i none", "-i ../etc", "-i \"", "-w /nowhere/x"),
            "packets", List.of("/nowhere.pcap", "/proc/self/status", "/dev/null", "/", ""),
            "perf", List.of("send-lat 127.0.0.1 -p 1", "fast", "read-lat -c UC", ""),
            "rings", List.of("", "1", "0", "none"),
            "sockets check", List.of("java Main", "java -jar /nowhere.jar", "Main", ""),
            "doctor", List.of(""),
            "link list", List.of(""),
            "sockets list", List.of("", "1", "0", "none")));

    /// What is drawn for commands that have no words of their own.
    private static final List<String> NO_WORDS = List.of("");

    static Set<String> commands() {
        var found = new TreeSet<String>();
        collect("", Main.commandLine(), found);
        return found;
    }

    private static void collect(String prefix, CommandLine parent, Set<String> found) {
        parent.getSubcommands().forEach((name, command) -> {
            OptionSpec json = command.getCommandSpec().findOption("--json");
            if (json != null && json.arity().max() == 0) { // not `trace --json FILE`
                found.add(prefix + name);
            }
            collect(prefix + name + " ", command, found);
        });
    }

    @Test
    void commandsForProgramsAreFound() {
        assertThat(commands()).contains("devices", "devinfo", "gids", "counters", "resources", "link list", "doctor",
                "perf",
                "capture", "packets", "rings", "sockets check", "sockets list", "abi show", "abi check");
        assertThat(commands()).containsAll(WORDS.keySet());
    }

    @TestFactory
    List<DynamicTest> theirOutputIsJsonOrNothing() {
        return commands().stream().map(command -> DynamicTest.dynamicTest(command, () -> draw(command))).toList();
    }

    private static void draw(String command) {
        var random = new Random(command.hashCode());
        CommandLine found = Main.commandLine();
        for (String word : command.split(" ")) {
            found = found.getSubcommands().get(word);
        }
        List<OptionSpec> options = found.getCommandSpec()
                .options()
                .stream()
                .filter(option -> LEFT_OUT.stream().noneMatch(List.of(option.names())::contains))
                .toList();
        int valid = 0;
        int rounds = command.equals("doctor") || command.equals("perf") ? ROUNDS / 8 : ROUNDS;
        for (int round = 0; round < rounds; round++) {
            var arguments = new ArrayList<>(List.of(command.split(" ")));
            arguments.add("--json");
            List<String> words = WORDS.getOrDefault(command, NO_WORDS);
            String line = words.get(random.nextInt(words.size()));
            arguments.addAll(line.isEmpty() ? List.of() : List.of(line.split(" ")));
            // At first only what is named above, so that the command does its work.
            for (OptionSpec option : options) {
                if (round >= words.size() && random.nextInt(options.size() + 1) == 0) {
                    arguments.add(option.longestName());
                    if (option.arity().max() > 0) {
                        arguments.add(VALUES.get(random.nextInt(VALUES.size())));
                    }
                }
            }
            ToolRun run = ToolRun.of(arguments.toArray(String[]::new));
            valid += requireJson(arguments, run) ? 1 : 0;
        }
        assertThat(valid).as("runs that answered")
                .isGreaterThanOrEqualTo(
                        List.of("capture", "packets", "perf", "abi check", "rings", "sockets list").contains(command)
                                ? 0
                                : 1);
    }

    /// Returns whether there is any.
    private static boolean requireJson(List<String> arguments, ToolRun run) {
        int values = JsonValues.count(run.output());
        assertThat(values).as("%s prints %s", arguments, run.output()).isNotNegative();
        assertThat(values > 0 || !run.error().isEmpty()).as("%s says nothing", arguments).isTrue();
        return values > 0;
    }
}
