// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.tests.cm.CmPrograms;
import io.verbs4j.tests.support.JavaProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Runs case by case: warms up two virtual machines until their compilers are idle, and then runs C and Java by turns.
/// A phase in which the machine is slow, or a run that hangs, therefore affects few cases.
///
/// Arguments: `RESULTS_FOLDER BOOT ROUNDS SIZES TESTS MINUTES [LIBRARY]`. The order of the cases depends on the number
/// of the boot. Sizes and tests are separated by commas. Tests are regular expressions for parts of cases' names. The C
/// programs preload the library. The system property `bench.mark` sets a program to run before and after each run
/// ([Marks]).
///
/// Writes `rounds.csv` with a line per round, and `machine.csv` with the speed of the machine before each case.
final class Comparison {
    /// Several times as long as the longest run takes on a slow machine.
    private static final long RUN = TimeUnit.MINUTES.toNanos(3);
    private static final long COUNTED_RUN = TimeUnit.MINUTES.toNanos(5);
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;
    private static final int MAX_FAILURES = 3;
    /// The first case of each boot comes so many cases after that of the previous boot.
    private static final int NEXT_BOOT = 5;

    /// A command of the warm-up is repeated until the compilers have worked for less than this part of the time in so
    /// many consecutive runs.
    private static final int IDLE_RUNS = 3;
    private static final double IDLE = 0.05;
    private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(5);

    private final Path folder;
    private final PrintStream out = System.out;
    private final JavaEnd javaServer;
    private final JavaEnd javaClient;
    private final CEnd cServer;
    private final CEnd cClient;
    private final Marks marks;
    private int port = FIRST_PORT;
    private @Nullable Case warm;

    /// A successful run of both ends.
    private record Run(End.Outcome client, End.Outcome server, long nanos) {
        long processorNanos() {
            return client.processorNanos() + server.processorNanos();
        }

        /// Returns the working time of the compilers, as a part of the run's time.
        double compiling() {
            return (double) (client.compilerNanos() + server.compilerNanos()) / nanos;
        }
    }

    private Comparison(Path folder, @Nullable String preloaded) {
        this.folder = folder;
        this.marks = Marks.in(folder);
        List<String> machine = new ArrayList<>(List.of(
                JavaProcess.launcher(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                // Under QEMU's emulation, a processor may see code that one compiler has replaced only partly. Without
                // the first compiler, the second one would compile only after ten times as many calls by default.
                "-XX:-TieredCompilation",
                "-XX:CompileThreshold=1000",
                // What the virtual machine takes with both compilers: how large code may be that is still inlined.
                "-XX:InlineSmallCode=2500",
                // The start of each command makes some code reach the compiler's threshold. Compiling it in the
                // background would take processors from the kernel while messages are measured.
                "-Xbatch",
                "-Xmx512m",
                "-XX:ErrorFile=" + folder.resolve("hs_err_%p.log"),
                "-cp",
                System.getProperty("java.class.path")));
        machine.addAll(marks.options());
        Path errors = folder.resolve("java-errors.txt");
        this.javaServer = new JavaEnd(machine, errors);
        this.javaClient = new JavaEnd(machine, errors);
        this.cServer = new CEnd(folder.resolve("c-server.txt"), preloaded);
        this.cClient = new CEnd(folder.resolve("c-client.txt"), preloaded);
    }

    static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        int boot = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        List<Integer> sizes = Arrays.stream(arguments[3].split(",")).map(Integer::valueOf).toList();
        List<Pattern> tests = Arrays.stream(arguments[4].split(",")).map(Pattern::compile).toList();
        Duration limit = Duration.ofMinutes(Integer.parseInt(arguments[5]));
        var cases = new ArrayList<>(Case.all(sizes));
        cases.removeIf(each -> tests.stream().noneMatch(test -> test.matcher(each.name()).find()));
        if (cases.isEmpty()) {
            System.err.println("bench: no case has a name with " + arguments[4] + " in it:");
            Case.all(sizes).forEach(each -> System.err.println("  " + each.name()));
            System.exit(2);
        }
        Collections.rotate(cases, -(boot - 1) * NEXT_BOOT);
        String preloaded = arguments.length > 6 ? arguments[6] : null;
        if (preloaded != null) {
            System.out.println("C's programs preload " + preloaded);
        }
        boolean measured = new Comparison(folder, preloaded).run(cases, rounds, limit);
        if (!measured) {
            System.err.println("bench: no case was measured: see above, or allow more --minutes");
        }
        System.exit(measured ? 0 : 1);
    }

    /// Runs all cases that start in time.
    ///
    /// @return whether there is at least one figure of both languages
    private boolean run(List<Case> cases, int rounds, Duration limit) throws IOException, InterruptedException {
        out.printf("%d cases, %d rounds of C and Java by turns; Linux %s%n", cases.size(), rounds,
                System.getProperty("os.version"));
        Instant end = Instant.now().plus(limit);
        boolean measured = false;
        try (
                var lines = new PrintStream(Files.newOutputStream(folder.resolve("rounds.csv")), true);
                var machine = new PrintStream(Files.newOutputStream(folder.resolve("machine.csv")), true)) {
            var speed = new MachineSpeed();
            lines.println("case,unit,round,c,java,c_median,java_median,c_cpu,java_cpu,compiling");
            machine.println("case,loop_ns,memory_ns");
            for (Case each : cases) {
                if (Instant.now().isAfter(end)) {
                    out.println("the time is up: what is there counts");
                    break;
                }
                machine.printf(Locale.ROOT, "%s,%.3f,%.1f%n", each.name(), speed.loopNanos(), speed.memoryNanos());
                measured |= measure(each, rounds, lines);
            }
        }
        javaClient.stop();
        javaServer.stop();
        return measured;
    }

    /// Figures of a round in one language, with NaN for unknown values.
    ///
    /// @param median of single messages
    /// @param processor microseconds of processor time per message, for both ends together
    private record Figures(double figure, double median, double processor, double compiling) {
        static final Figures NONE = new Figures(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }

    /// @return whether there is at least one figure of both languages
    private boolean measure(Case what, int rounds, PrintStream lines) throws InterruptedException {
        boolean measured = false;
        int failures = 0;
        for (int round = 1; round <= rounds && failures < MAX_FAILURES; round++) {
            boolean javaFirst = round % 2 == 0;
            Figures first = figures(what, javaFirst);
            Figures second = figures(what, !javaFirst);
            Figures c = javaFirst ? second : first;
            Figures java = javaFirst ? first : second;
            String line = String.format(Locale.ROOT, "%s,%s,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f", what.name(),
                    what.metric().unit, round, c.figure, java.figure, c.median, java.median, c.processor,
                    java.processor, java.compiling);
            lines.println(line);
            out.println(line);
            boolean failed = c == Figures.NONE || java == Figures.NONE;
            failures += failed ? 1 : 0;
            measured |= !failed;
        }
        return measured;
    }

    private Figures figures(Case what, boolean java) throws InterruptedException {
        try {
            if (java) {
                warmUp(what);
            }
            int messages = marks.areMade() ? what.countedMessages() : what.messages();
            // Printing the time of each message takes processor time, which belongs to no message.
            boolean printing = !java && what.metric() == Case.Metric.LATENCY && !marks.areMade();
            Run run = counted(what, java, messages, printing);
            double processor = Double.NaN;
            if (what.hasProcessorTime()) {
                long all = (printing ? counted(what, java, messages, false) : run).processorNanos();
                // Starting, connecting and reporting take processor time, too.
                long start = counted(what, java, what.fewest(), false).processorNanos();
                processor = (all - start) / 1e3 / (messages - what.fewest());
            }
            List<String> output = run.client.output();
            return new Figures(what.read(output), what.readMedian(output), processor, run.compiling());
        } catch (IOException | TimeoutException | IllegalArgumentException e) {
            out.printf("%s: %s: %s%n", what.name(), java ? "Java" : "C", e.getMessage());
            return Figures.NONE;
        }
    }

    /// @param printing whether a C program prints the time of each message
    private Run counted(Case what, boolean java, int messages, boolean printing)
            throws IOException, InterruptedException, TimeoutException {
        marks.begin();
        Run run = run(java, java ? what.java(messages) : what.c(messages), printing ? List.of("-U") : List.of());
        marks.end(what.name(), java ? "Java" : "C", messages);
        return run;
    }

    /// Warms up the virtual machines, unless they are warm for this case.
    private void warmUp(Case what) throws IOException, InterruptedException, TimeoutException {
        if (what.equals(warm) && !javaServer.isCold() && !javaClient.isCold()) {
            return;
        }
        out.print(what.name() + ": compiling");
        for (List<String> command : what.warmUps()) {
            Instant end = Instant.now().plus(LONGEST_WARM_UP);
            int idle = 0;
            while (idle < IDLE_RUNS && Instant.now().isBefore(end)) {
                double compiling = run(true, command, List.of()).compiling();
                idle = compiling < IDLE ? idle + 1 : 0;
                out.printf(Locale.ROOT, " %.1f%%", 100 * compiling);
                out.flush();
            }
        }
        out.println();
        warm = what;
        javaServer.warm();
        javaClient.warm();
    }

    /// @param more options of the client
    private Run run(boolean java, List<String> command, List<String> more)
            throws IOException, InterruptedException, TimeoutException {
        End server = java ? javaServer : cServer;
        End client = java ? javaClient : cClient;
        long limit = marks.areMade() ? COUNTED_RUN : RUN;
        port = FIRST_PORT + (port + 1 - FIRST_PORT) % PORTS;
        var atServer = new ArrayList<>(command);
        atServer.addAll(Case.address(command, port, false));
        var atClient = new ArrayList<>(command);
        atClient.addAll(Case.address(command, port, true));
        atClient.addAll(more);
        boolean done = false;
        try {
            long start = System.nanoTime();
            server.start(atServer);
            awaitListener(server, limit);
            client.start(atClient);
            var run = new Run(client.await(limit), server.await(limit), System.nanoTime() - start);
            done = true;
            return run;
        } finally {
            if (!done) {
                client.stop();
                server.stop();
            }
        }
    }

    /// The C programs try to connect only once.
    private void awaitListener(End server, long limit)
            throws IOException, InterruptedException, TimeoutException {
        // A virtual machine may start first.
        Instant deadline = Instant.now().plusNanos(limit);
        while (Instant.now().isBefore(deadline)) {
            if (listensByTcp() || CmPrograms.listens(port)) {
                return;
            }
            if (server.hasEnded()) {
                server.await(limit);
                throw new IOException("the server ended before the client came");
            }
            Thread.sleep(5);
        }
        throw new TimeoutException("the server does not listen");
    }

    private boolean listensByTcp() throws IOException {
        var listening = Pattern.compile(String.format(Locale.ROOT, ":%04X \\S+ 0A ", port));
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            if (listening.matcher(Files.readString(Path.of(table))).find()) {
                return true;
            }
        }
        return false;
    }
}
