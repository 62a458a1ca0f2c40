// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Help.Ansi;

/// The command line as a user meets it, as far as no device is needed.
class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder;

    private int run(String... arguments) {
        return Main.commandLine(arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setColorScheme(picocli.CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .execute(arguments);
    }

    static Set<String> commands() {
        return Main.commandLine().getSubcommands().keySet();
    }

    @Test
    void helpNamesAllCommands() {
        assertThat(run("--help")).isZero();
        assertThat(commands()).hasSizeGreaterThan(25);
        assertThat(out.toString()).contains(commands()).contains("Exit codes:");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandHasHelpWithAnExample(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).contains("Usage: verbs " + command, "Example", "  verbs " + command, "Exit codes:");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandIsDescribedInTheDocuments(String command) throws IOException {
        assertThat(Files.readString(Path.of("../docs/tools.md")))
                .containsPattern("`(tools/)?(verbs )?" + command + "\\b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "add", "delete"})
    void everyPartOfLinkHasHelpWithAnExample(String part) {
        assertThat(run("link", part, "--help")).isZero();
        assertThat(out.toString()).contains("Usage: verbs link " + part, "Example", "  verbs link " + part,
                "Exit codes:");
    }

    @Test
    void exitCodesOfOneCommandAreInItsHelp() {
        assertThat(run("doctor", "--help")).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "  0     done\n",
                        "  1     failed",
                        "  2     wrong usage\n",
                        "  3     there are warnings\n",
                        "  4     there are errors",
                        "  130   ended by Ctrl-C\n",
                        "  141   the reader of the standard output has gone\n",
                        "  143   ended by kill\n");
    }

    @Test
    void linkRefusesWhatTheKernelWouldTakeForAnotherName() {
        assertThat(run("link")).isEqualTo(2);
        assertThat(run("link", "add", "rxe0")).isEqualTo(2);
        assertThat(run("link", "add", "rxe%d", "--netdev", "eth0")).isEqualTo(2);
        assertThat(err.toString())
                .contains("verbs link: a subcommand is missing: list, add or delete", "'--netdev=<interface>'",
                        "'rxe%d' is not a valid device name");
    }

    @Test
    void manualPagesAreMadeOfAllCommandsAndTheirParts() throws IOException {
        Path pages = folder.resolve("man1");
        assertThat(run("manual", pages.toString())).isZero();
        assertThat(pages.toFile().list())
                .contains("verbs.1", "verbs-devices.1", "verbs-perf.1", "verbs-link.1", "verbs-link-add.1");
        assertThat(Files.readString(pages.resolve("verbs-link-add.1")))
                .startsWith(".TH \"VERBS-LINK-ADD\" 1")
                .contains(
                        ".SH NAME\n\\&verbs\\-link\\-add \\- Make a software device on a network interface.\n",
                        ".SH SYNOPSIS",
                        "\\fB\\-\\-netdev <interface>\\fR\n",
                        ".SH EXIT STATUS\n.TP\n\\fB0\\fR\n\\&done\n",
                        "verbs link add rxe0 \\-\\-netdev eth0");
    }

    @Test
    void completionKnowsAllCommandsAndOptions() throws Exception {
        assertThat(run("completion")).isZero();
        Path script = Files.writeString(folder.resolve("verbs.bash"), out.toString());
        assertThat(out.toString()).contains("complete -F _complete_verbs", "rc-pingpong", "'--netdev'", "--post_list");
        assertThat(out.toString()).contains("\"send-lat\" \"send-bw\" \"write-lat\" \"write-bw\"");
        Process bash = new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
        assertThat(bash.waitFor()).isZero();
    }

    @Test
    void perfRefusesWhatATestHasNot() {
        assertThat(run("perf", "fast")).isEqualTo(2);
        assertThat(run("perf", "read-lat", "-c", "UC")).isEqualTo(2);
        assertThat(err.toString()).contains("'fast' is not a test", "verbs perf: UC has no read-lat");
    }

    @Test
    void unknownKindsAndSizesAreWrongUsage() {
        assertThat(run("resources", "-k", "qp,xy")).isEqualTo(2);
        assertThat(run("doctor", "--memory", "1T")).isEqualTo(2);
        assertThat(err.toString()).contains("'xy' is not ctx, pd,", "'1T' is not a size");
    }

    @Test
    void abiShowsAStructOfTheCoreAndOneOfADriver() {
        assertThat(run("abi", "show", "ib_uverbs_reg_mr")).isZero();
        assertThat(out.toString())
                .contains("struct ib_uverbs_reg_mr, 40 bytes, written by user space")
                .containsPattern("16 +8 +__u64 +length +bytes");
        assertThat(run("abi", "show", "--json", "rxe_send_wqe")).isZero();
        assertThat(out.toString()).contains("{\"name\":\"rxe_send_wqe\",\"size\":208,");
    }

    @Test
    void abiSuggestsStructsWithASimilarName() {
        assertThat(run("abi", "show", "reg_mr")).isEqualTo(1);
        assertThat(err.toString()).contains("unknown struct: reg_mr; is it one of [ib_uverbs_reg_mr,");
    }

    @Test
    void abiListsEveryStructAndEveryCommand() {
        assertThat(run("abi", "list")).isZero();
        assertThat(out.toString()).contains("ib_uverbs_ioctl_hdr", "rxe_queue_buf", "mminfo");
        assertThat(run("abi", "commands")).isZero();
        assertThat(out.toString()).contains("UVERBS_METHOD_QP_CREATE", "IB_USER_VERBS_CMD_POST_SEND");
    }

    @Test
    void abiFindsVerbsByAPartOfTheirNames() {
        assertThat(run("abi", "errors", "create-queue-pair")).isZero();
        assertThat(out.toString()).startsWith("create queue pair\n").contains("EINVAL (22, Invalid argument)\n");
        assertThat(run("abi", "errors", "queue_pair")).isZero();
        assertThat(out.toString()).contains("modify queue pair\n", "destroy queue pair\n");
        assertThat(run("abi", "errors", "fly")).isEqualTo(1);
        assertThat(err.toString()).contains("no verb or error matches 'fly'; there are open-device,");
    }

    @Test
    void abiCheckSaysWhatItMisses() {
        assertThat(run("abi", "check", "--btf", folder.toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("has no type information of ib_uverbs; load the module (modprobe ib_uverbs)");
        assertThat(run("abi")).isEqualTo(2);
    }

    @Test
    void traceRunsACommandWithItsOptionsAndKeepsItsExitCode() throws IOException {
        Path page = folder.resolve("trace.html");
        assertThat(run("trace", "--html", page.toString(), "abi", "show", "--json", "mminfo")).isZero();
        assertThat(out.toString()).contains("{\"name\":\"mminfo\"");
        assertThat(Files.readString(page)).contains("verbs4j trace: verbs abi show --json mminfo", ">[]</script>");
        assertThat(run("trace", "abi", "show", "nothing")).isEqualTo(1);
        assertThat(run("trace", "trace", "abi")).isEqualTo(2);
        assertThat(run("trace")).isEqualTo(2);
    }

    @Test
    void traceRefusesOneFileForTwoFormats() {
        Path file = folder.resolve("trace");
        Path same = folder.resolve("none/../trace");
        assertThat(run("trace", "--text", file.toString(), "--json", same.toString(), "abi", "list")).isEqualTo(2);
        assertThat(err.toString()).contains("--text, --json and --html require different files");
        assertThat(file).doesNotExist();
    }

    @Test
    void countersCountsOnlyRepetitions() {
        assertThat(run("counters", "--count", "3")).isEqualTo(2);
        assertThat(err.toString()).contains("verbs counters: --count requires --watch");
    }

    @Test
    void wrongUsageIsOneLineAndExitCode2() {
        assertThat(run("rc-pingpong", "-m", "1500")).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("""
                    verbs rc-pingpong: Invalid value for option '--mtu': '1500' is not 256, 512, 1024, 2048 or 4096
                    try: verbs rc-pingpong --help
                    """);
        assertThat(out.toString()).isEmpty();
    }

    /// A datagram's path MTU is that of the port, and its default size differs from C's help, not from C.
    @Test
    void datagramsHaveTheOptionsOfTheirOwnProgram() {
        assertThat(run("ud-pingpong", "-m", "1024")).isEqualTo(2);
        assertThat(run("ud-pingpong", "--help")).isZero();
        assertThat(out.toString())
                .contains("Size of a message in bytes (default: 1024).")
                .doesNotContain("--mtu");
        assertThat(run("uc-pingpong", "--help")).isZero();
        assertThat(out.toString()).contains("Size of a message in bytes (default: 4096).", "--mtu");
        assertThat(run("uc-pingpong", "-N")).isEqualTo(2);
    }

    @Test
    void eachQueuePairOfASharedReceiveQueueNeedsAReceive() {
        assertThat(run("srq-pingpong", "-q", "4", "-r", "3")).isEqualTo(1);
        assertThat(err.toString())
                .isEqualTo("verbs srq-pingpong: rx_depth 3 is too small for 4 QPs -- must have at least one receive per"
                        + " QP; set a larger number with -r\n");
        assertThat(run("srq-pingpong", "-q", "256")).isEqualTo(2);
    }

    @Test
    void missingAndUnknownCommandsAreWrongUsage() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("rc-pong")).isEqualTo(2);
        assertThat(err.toString()).contains("verbs: which command?", "'rc-pong'");
    }

    @Test
    void failureIsOneLineAndExitCode1() {
        assertThat(run("packets", folder.resolve("none.pcap").toString())).isEqualTo(1);
        assertThat(err.toString()).isEqualTo("verbs packets: no such file: " + folder.resolve("none.pcap") + "\n");
    }

    @Test
    void stackTraceIsShownOnDemand() {
        assertThat(run("packets", "--stacktrace", folder.resolve("none.pcap").toString())).isEqualTo(1);
        assertThat(err.toString()).contains("ToolException", "PacketsCommand");
    }

    @Test
    void packetsShowsTheFirstAndTheLast() throws IOException {
        Path file = folder.resolve("wire.pcap");
        try (var capture = CommandLineTest.class.getResourceAsStream("packets/c-programs.pcap")) {
            Files.copy(capture, file);
        }
        assertThat(run("packets", file.toString(), "--limit", "3")).isZero();
        assertThat(out.toString().lines())
                .hasSize(4)
                .satisfies(lines -> {
                    assertThat(lines.get(0)).startsWith("   0.000000  10.9.0.1 → 10.9.0.2  RC Send Only");
                    assertThat(lines.get(2)).contains("… 37 packets not shown …");
                    assertThat(lines.get(3)).startsWith("  13.734306  fe80::");
                });
    }

    @Test
    void packetsAreJsonForPrograms() throws IOException {
        Path file = folder.resolve("wire.pcap");
        try (var capture = CommandLineTest.class.getResourceAsStream("packets/c-programs.pcap")) {
            Files.copy(capture, file);
        }
        assertThat(run("packets", file.toString(), "--json", "--first", "1")).isZero();
        assertThat(out.toString().lines().toList().getFirst())
                .startsWith("{\"frame\":1,\"nanoseconds\":")
                .contains("\"opcode\":\"RC Send Only\",\"opcodeValue\":4", "\"payloadLength\":128", "\"icrcOk\":true}");
    }

    @Test
    void captureNamesWhatItCannotCaptureOn() {
        assertThat(run("capture", "-i", "../etc")).isEqualTo(1);
        assertThat(err.toString()).startsWith("verbs capture: unknown network interface or device: ../etc");
    }

    @Test
    void packetsRefusesContradictions() {
        assertThat(run("packets", "wire.pcap", "--limit", "3", "--last", "1")).isEqualTo(2);
        assertThat(err.toString()).contains("--limit cannot be combined with --first or --last");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "--quiet", "--ib-dev=rxe1", "--peer=10.9.0.2", "--memory=64M"})
    void acceptanceRefusesTheOptionsOfTheOtherChecks(String option) {
        assertThat(run("doctor", "--acceptance", "rxe0", option)).isEqualTo(2);
        assertThat(err.toString()).contains(option.replaceFirst("=.*", "") + " and --acceptance cannot be combined");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whatIsNoCaptureIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("text"), "this is some text in a file");

        assertThat(run("packets", file.toString())).isEqualTo(1);
        assertThat(err.toString()).startsWith("verbs packets: " + file + " is not a pcap or pcapng file");
    }

    @Test
    void emptyCaptureIsSaidOnTheStandardError() throws IOException {
        Path file = folder.resolve("empty.pcap");
        try (var capture = CommandLineTest.class.getResourceAsStream("packets/c-programs.pcap")) {
            Files.write(file, capture.readNBytes(24));
        }
        assertThat(run("packets", file.toString())).isZero();
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .startsWith("no RoCE packet (UDP port 4791, or Ethernet type 0x8915) among the 0 frames of ");
    }
}
