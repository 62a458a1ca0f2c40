// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.tests.support.JavaProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Runs all cases in each round, alternating between C and Java, and writes the results after each round. A round that
/// cannot be finished therefore affects no other round.
///
/// Arguments: `RESULTS_FOLDER ROUNDS SIZES TESTS MINUTES WARM_UP [LIBRARY]`. Sizes and tests are separated by commas.
/// Tests are parts of cases' names, or `all`. Warm-up is a number of operations. The C programs preload the library.
/// The system property `bench.mark` sets a program to run before and after each run ([Marks]).
final class Comparison {
    /// Several times as long as the longest run takes on a slow machine.
    private static final long RUN = TimeUnit.MINUTES.toNanos(1);
    private static final long COUNTED_RUN = TimeUnit.MINUTES.toNanos(5);
    private static final long WARM_UP = TimeUnit.MINUTES.toNanos(3);
    private static final Duration LISTENING = Duration.ofSeconds(15);
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;

    /// Code compiled for one case is discarded in the next, until the compiler has seen all cases several times.
    private static final int WARM_UP_PASSES = 3;
    private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(6);

    private final Path folder;
    private final PrintStream out = System.out;
    private final JavaEnd javaServer;
    private final JavaEnd javaClient;
    private final CEnd cServer;
    private final CEnd cClient;
    private final List<Case> cases;
    private final Marks marks;
    private int operations;
    private int port = FIRST_PORT;

    private Comparison(Path folder, List<Case> cases, int operations, @Nullable String preloaded) {
        this.folder = folder;
        this.cases = cases;
        this.operations = operations;
        this.marks = Marks.in(folder);
        List<String> machine = new ArrayList<>(List.of(
                JavaProcess.launcher(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                // Under QEMU's emulation, a processor may see code that one compiler has replaced only partly. Without the
                // first compiler, the second one would compile only after ten times as many calls by default.
                "-XX:-TieredCompilation",
                "-XX:CompileThreshold=1000",
                // What the virtual machine takes with both compilers: how large code may be that is still inlined.
                "-XX:InlineSmallCode=2500",
                // The start of each command runs mostly interpreted, and makes some code reach the threshold. Compiling
                // it in the background would take processors from the kernel while messages are counted.
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
        int rounds = Integer.parseInt(arguments[1]);
        List<Integer> sizes = Arrays.stream(arguments[2].split(",")).map(Integer::valueOf).toList();
        List<String> tests = List.of(arguments[3].split(","));
        Duration limit = Duration.ofMinutes(Integer.parseInt(arguments[4]));
        List<Case> cases = Case.all(sizes)
                .stream()
                .filter(each -> tests.contains("all") || tests.stream().anyMatch(each.name()::contains))
                .toList();
        if (cases.isEmpty()) {
            System.err.println("bench: no case has a name with " + arguments[3] + " in it:");
            Case.all(sizes).forEach(each -> System.err.println("  " + each.name()));
            System.exit(2);
        }
        String preloaded = arguments.length > 6 ? arguments[6] : null;
        if (preloaded != null) {
            System.out.println("C's programs preload " + preloaded);
        }
        boolean measured =
                new Comparison(folder, cases, Integer.parseInt(arguments[5]), preloaded).run(rounds, limit);
        if (!measured) {
            System.err.println("bench: no case was measured: see above, or allow more --minutes");
        }
        System.exit(measured ? 0 : 1);
    }

    /// Runs all rounds that start in time.
    ///
    /// @param limit time limit from the end of the warm-up
    /// @return whether there is at least one figure of both languages
    private boolean run(int rounds, Duration limit) throws IOException, InterruptedException {
        var results = new ArrayList<CaseResults>();
        cases.forEach(each -> results.add(new CaseResults(each)));
        out.printf("%d cases, %d rounds of C and Java by turns; Linux %s%n", cases.size(), rounds,
                System.getProperty("os.version"));
        Instant end = Instant.MAX;
        for (int round = 0; round <= rounds; round++) {
            Instant start = Instant.now();
            for (CaseResults each : results) {
                if (Instant.now().isAfter(end)) {
                    out.println("the time is up: what is there counts");
                    round = rounds;
                    break;
                }
                if (round == 0) {
                    runShortened(each);
                } else if (!each.isHopeless()) {
                    runRound(round, each);
                }
            }
            long seconds = Duration.between(start, Instant.now()).toSeconds();
            out.printf("%s: %d s%n", round == 0 ? "warm-up, and each case tried" : "round " + round, seconds);
            out.flush();
            BenchReport.ofRounds(results, System.getProperty("os.version")).write(folder);
            if (round == 0) {
                end = Instant.now().plus(limit);
            }
        }
        out.println();
        out.print(Files.readString(folder.resolve("table.txt")));
        javaClient.stop();
        javaServer.stop();
        return results.stream().anyMatch(each -> !each.pairs().isEmpty());
    }

    private void runRound(int round, CaseResults results) throws InterruptedException {
        Case what = results.what();
        End.Outcome[] c = attempt(results, "C", () -> runC(what, false));
        End.Outcome[] java = attempt(results, "Java", () -> runJava(what, false));
        End.Outcome[][] starts = what.hasProcessorTime() ? runShortened(results) : new End.Outcome[2][0];
        results.add(round, c, java, starts[0], starts[1]);
    }

    /// Returns the cost of runs with almost no messages, which is subtracted from that of the others.
    ///
    /// @return for C and Java
    private End.Outcome[][] runShortened(CaseResults results) throws InterruptedException {
        return new End.Outcome[][]{
                attempt(results, "C", () -> runC(results.what(), true)),
                attempt(results, "Java", () -> runJava(results.what(), true))};
    }

    private interface Run {
        End.Outcome[] run() throws IOException, InterruptedException, TimeoutException;
    }

    /// @return of client and server; empty if it failed
    private End.Outcome[] attempt(CaseResults results, String who, Run run) throws InterruptedException {
        try {
            return run.run();
        } catch (IOException | TimeoutException e) {
            out.printf("%s: %s: %s%n", results.what().name(), who, e.getMessage());
            results.failed(who);
            return new End.Outcome[0];
        }
    }

    private End.Outcome[] runC(Case what, boolean shortened)
            throws IOException, InterruptedException, TimeoutException {
        return counted("C", what, shortened, cServer, cClient, what.c());
    }

    private End.Outcome[] runJava(Case what, boolean shortened)
            throws IOException, InterruptedException, TimeoutException {
        warmUp();
        return counted("Java", what, shortened, javaServer, javaClient, what.java());
    }

    private End.Outcome[] counted(
            String who, Case what, boolean shortened, End server, End client, List<String> command)
            throws IOException, InterruptedException, TimeoutException {
        int messages = shortened ? what.fewest() : marks.areMade() ? what.countedMessages() : what.messages();
        marks.begin();
        End.Outcome[] outcomes =
                run(server, client, what.withMessages(messages, command), marks.areMade() ? COUNTED_RUN : RUN);
        marks.end(what.name(), who, messages);
        return outcomes;
    }

    private void warmUp() throws IOException, InterruptedException, TimeoutException {
        if (!javaServer.isCold() && !javaClient.isCold()) {
            return;
        }
        out.print("warming up Java:");
        Instant end = Instant.now().plus(LONGEST_WARM_UP);
        int done = 0;
        for (int pass = 0; (pass < WARM_UP_PASSES || done < operations) && Instant.now().isBefore(end); pass++) {
            for (Case each : cases) {
                run(javaServer, javaClient, each.java(), marks.areMade() ? COUNTED_RUN : WARM_UP);
                done += each.messages();
            }
            out.print(" " + done);
            out.flush();
        }
        out.println();
        operations /= 8; // should a hanging run cost these processes
        javaServer.warm();
        javaClient.warm();
    }

    private End.Outcome[] run(End server, End client, List<String> command, long limit)
            throws IOException, InterruptedException, TimeoutException {
        port = FIRST_PORT + (port + 1 - FIRST_PORT) % PORTS;
        var atServer = new ArrayList<>(command);
        atServer.addAll(List.of("-d", "rxe1", "-p", String.valueOf(port)));
        var atClient = new ArrayList<>(command);
        atClient.addAll(List.of("-d", "rxe0", "-p", String.valueOf(port), "10.9.0.2"));
        boolean done = false;
        try {
            server.start(atServer);
            awaitListener(server, limit);
            client.start(atClient);
            var outcomes = new End.Outcome[]{client.await(limit), server.await(limit)};
            done = true;
            return outcomes;
        } finally {
            if (!done) {
                client.stop();
                server.stop();
            }
        }
    }

    /// The C programs try to connect only once.
    private void awaitListener(End server, long limit) throws IOException, InterruptedException, TimeoutException {
        var listening = Pattern.compile(String.format(Locale.ROOT, ":%04X \\S+ 0A ", port));
        Instant deadline = Instant.now().plus(limit > RUN ? Duration.ofNanos(limit) : LISTENING);
        while (Instant.now().isBefore(deadline)) {
            for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
                if (listening.matcher(Files.readString(Path.of(table))).find()) {
                    return;
                }
            }
            if (server.hasEnded()) {
                server.await(limit);
                throw new IOException("the server ended before the client came");
            }
            Thread.sleep(5);
        }
        throw new TimeoutException("the server does not listen");
    }
}
