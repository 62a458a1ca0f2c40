// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import io.verbs4j.tools.abi.AbiCommand;
import io.verbs4j.tools.asyncwatch.AsyncwatchCommand;
import io.verbs4j.tools.cm.CmtimeCommand;
import io.verbs4j.tools.cm.MckeyCommand;
import io.verbs4j.tools.cm.RcopyCommand;
import io.verbs4j.tools.cm.RiostreamCommand;
import io.verbs4j.tools.cm.RpingCommand;
import io.verbs4j.tools.cm.RstreamCommand;
import io.verbs4j.tools.cm.UcmatoseCommand;
import io.verbs4j.tools.cm.UdaddyCommand;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.devinfo.DevinfoCommand;
import io.verbs4j.tools.doctor.DoctorCommand;
import io.verbs4j.tools.inspect.CountersCommand;
import io.verbs4j.tools.inspect.GidsCommand;
import io.verbs4j.tools.inspect.ResourcesCommand;
import io.verbs4j.tools.link.LinkCommand;
import io.verbs4j.tools.manual.CompletionCommand;
import io.verbs4j.tools.manual.ManualCommand;
import io.verbs4j.tools.packets.CaptureCommand;
import io.verbs4j.tools.packets.PacketsCommand;
import io.verbs4j.tools.perf.PerfCommand;
import io.verbs4j.tools.pingpong.RcPingPongCommand;
import io.verbs4j.tools.pingpong.SrqPingPongCommand;
import io.verbs4j.tools.pingpong.UcPingPongCommand;
import io.verbs4j.tools.pingpong.UdPingPongCommand;
import io.verbs4j.tools.rings.RingsCommand;
import io.verbs4j.tools.sockets.SocketsCommand;
import io.verbs4j.tools.step.StepCommand;
import io.verbs4j.tools.trace.TraceCommand;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/// Starts the command line.
public final class Main {
    private static final Map<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

    private static final Map<String, String> EXIT_CODES =
            new TreeMap<>(
                    Map.of("0", "done", "1", "failed; the standard error contains the reason", "2", "wrong usage"));

    /// Exit codes of a process that a signal ends, as shells report them.
    private static final Map<String, String> EXIT_CODES_OF_SIGNALS =
            new TreeMap<>(
                    Map.of(
                            "130",
                            "ended by Ctrl-C",
                            "141",
                            "the reader of the standard output has gone",
                            "143",
                            "ended by kill"));

    static {
        COMMANDS.put("devices", DevicesCommand::new);
        COMMANDS.put("devinfo", DevinfoCommand::new);
        COMMANDS.put("gids", GidsCommand::new);
        COMMANDS.put("counters", CountersCommand::new);
        COMMANDS.put("resources", ResourcesCommand::new);
        COMMANDS.put("link", LinkCommand::new);
        COMMANDS.put("doctor", () -> new DoctorCommand(Main::run));
        COMMANDS.put("rc-pingpong", RcPingPongCommand::new);
        COMMANDS.put("uc-pingpong", UcPingPongCommand::new);
        COMMANDS.put("ud-pingpong", UdPingPongCommand::new);
        COMMANDS.put("srq-pingpong", SrqPingPongCommand::new);
        COMMANDS.put("rping", RpingCommand::new);
        COMMANDS.put("ucmatose", UcmatoseCommand::new);
        COMMANDS.put("udaddy", UdaddyCommand::new);
        COMMANDS.put("mckey", MckeyCommand::new);
        COMMANDS.put("cmtime", CmtimeCommand::new);
        COMMANDS.put("rstream", RstreamCommand::new);
        COMMANDS.put("riostream", RiostreamCommand::new);
        COMMANDS.put("rcopy", RcopyCommand::new);
        COMMANDS.put("asyncwatch", AsyncwatchCommand::new);
        COMMANDS.put("perf", PerfCommand::new);
        COMMANDS.put("capture", CaptureCommand::new);
        COMMANDS.put("packets", PacketsCommand::new);
        COMMANDS.put("trace", () -> new TraceCommand(Main::run));
        COMMANDS.put("rings", RingsCommand::new);
        COMMANDS.put("sockets", SocketsCommand::new);
        COMMANDS.put("together", () -> new TogetherCommand(Main::run));
        COMMANDS.put("step", StepCommand::new);
        COMMANDS.put("abi", AbiCommand::new);
        COMMANDS.put("completion", () -> new CompletionCommand(Main::commandLine));
        COMMANDS.put("manual", () -> new ManualCommand(Main::commandLine));
    }

    /// Replaces picocli's automatic width, which starts a process to query the terminal.
    private static final int HELP_WIDTH = 100;

    private Main() {}

    /// Runs a command and ends the process with its exit code.
    public static void main(String... arguments) {
        StandardOutput output = StandardOutput.install();
        Listening.alone(() -> {
            int code = run(commandLine(arguments), arguments);
            System.out.flush();
            System.exit(output.exitCode(code));
        });
    }

    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        return run(commandLine(arguments).setOut(out).setErr(err), arguments);
    }

    /// Runs a command, and then flushes the writers.
    private static int run(CommandLine commandLine, String... arguments) {
        int code = commandLine.execute(arguments);
        commandLine.getOut().flush();
        commandLine.getErr().flush();
        return code;
    }

    /// Returns the command line for `arguments`.
    public static CommandLine commandLine(String... arguments) {
        var root = new VerbsCommand();
        var commandLine = new CommandLine(root);
        String first = arguments.length == 0 ? "" : arguments[positionOfCommand(arguments)];
        // Adds only the named command, because reading all annotations takes longer than most commands run. If no
        // command is named, adds names and headers, which suffice for the help or an error.
        boolean named = arguments.length == 0 || Arrays.stream(arguments).anyMatch(COMMANDS::containsKey);
        // A loop, because the class archive supports no lambda over an old class, and picocli's classes are old.
        for (var entry : COMMANDS.entrySet()) {
            String name = entry.getKey();
            if (!named) {
                commandLine.addSubcommand(name, titleOf(entry.getValue().get()));
            } else if (name.equals(first) || !COMMANDS.containsKey(first)) {
                commandLine.addSubcommand(name, entry.getValue().get());
            }
        }
        // Options after the name of a nested command belong to that command.
        for (String running : List.of("trace", "together", "sockets check")) {
            CommandLine found = subcommand(commandLine, running);
            if (found != null) {
                found.setStopAtPositional(true);
            }
        }
        describeExitCodes(commandLine);
        var errors = new ErrorReport(root);
        return commandLine
                .setOut(new PrintWriter(System.out, false, System.out.charset()))
                .setErr(new PrintWriter(System.err, true, System.err.charset()))
                .setExecutionStrategy(errors)
                .setExecutionExceptionHandler(errors)
                .setParameterExceptionHandler(errors)
                .setOverwrittenOptionsAllowed(true)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(HELP_WIDTH)
                .setUsageHelpLongOptionsMaxWidth(28)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.AUTO));
    }

    private static @Nullable CommandLine subcommand(CommandLine parent, String names) {
        CommandLine found = parent;
        for (String name : names.split(" ", -1)) {
            found = found == null ? null : found.getSubcommands().get(name);
        }
        return found;
    }

    /// Returns the position of the command: after the option for simulated devices, if that comes first.
    private static int positionOfCommand(String... arguments) {
        return arguments.length > 2 && arguments[0].equals(VerbsCommand.SIMULATE) ? 2 : 0;
    }

    private static CommandSpec titleOf(Object command) {
        var title = CommandSpec.wrapWithoutInspection(command);
        var annotation = command.getClass().getAnnotation(Command.class);
        title.usageMessage().header(annotation.header()).hidden(annotation.hidden());
        return title;
    }

    private static void describeExitCodes(CommandLine command) {
        var usage = command.getCommandSpec().usageMessage();
        var codes = new LinkedHashMap<>(EXIT_CODES);
        codes.putAll(usage.exitCodeList());
        codes.putAll(EXIT_CODES_OF_SIGNALS);
        usage.exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(codes)
                .synopsisHeading("%nUsage: ")
                .optionListHeading("%nOptions:%n");
        for (CommandLine subcommand : command.getSubcommands().values()) {
            describeExitCodes(subcommand);
        }
    }
}
