// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import io.verbs4j.tests.mutations.sample.InstrumentedModules.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The program behind `tools/mutations --sample`. It selects places of the compiled code at random, determines the
/// tests that reach each, and runs these tests with the place's defect injected, until one fails twice.
public final class SampleRun {
    private static final long PROBE_MILLIS = 900_000;
    private static final long MIN_TIMEOUT_MILLIS = 20_000;
    private static final int TIMEOUT_FACTOR = 6;
    /// Processes at a time, and the milliseconds that the tests of an environment take for one defect, at most, on code
    /// without it. Those that are left out take part in the second round only.
    private static final int PROCESSES = 2;
    private static final long FIRST_ROUND_MILLIS = 10_000;
    private static final long SECOND_ROUND_MILLIS = 120_000;
    private static final String SIMULATED = "simulated";
    private static final String TO_THE_END = Sample.OPEN + " to the end: ";

    private final Path root;
    private final Sample sample;
    private final Predicate<String> chosen;
    private final boolean everything;

    /// A test class that reaches a place.
    private record Reached(TestEnvironment environment, String test, long millis, Set<String> broken) {
        /// Returns how far its name is from that of a place.
        int distance(Place place) {
            return name().contains(place.file()) ? 0 : test.contains("." + place.room() + ".") ? 1 : 2;
        }

        /// With a limit that a slow machine does not reach.
        SampleTests.Job job() {
            return new SampleTests.Job(test, MIN_TIMEOUT_MILLIS + TIMEOUT_FACTOR * millis, broken);
        }

        String name() {
            return test.substring(test.lastIndexOf('.') + 1);
        }
    }

    private SampleRun(Path root, Sample sample, @Nullable String chosen) {
        this.root = root;
        this.sample = sample;
        this.everything = chosen == null;
        this.chosen = chosen == null ? _ -> true : Pattern.compile(chosen).asPredicate();
    }

    /// Arguments: the project's root, the number of places of each module, the seed, modules to select from if not all,
    /// `--tests` with a regular expression of test classes if not all, and `--devices` with `simulated` or a kernel of
    /// the lab if not both kinds of devices. For an existing sample, it judges the places that were not caught.
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        var rest = new ArrayList<>(List.of(arguments));
        Path root = Path.of(rest.removeFirst()).toAbsolutePath();
        int number = Integer.parseInt(rest.removeFirst());
        long seed = Long.parseLong(rest.removeFirst());
        String chosen = option(rest, "--tests");
        String devices = option(rest, "--devices");
        Path file = Sample.file(root, seed);
        Sample sample = Files.exists(file)
                ? Sample.read(file)
                : Sample.draw(root, number, seed, rest.isEmpty() ? Modules.all(root) : rest);
        System.exit(new SampleRun(root, sample, chosen).judge(devices) ? 0 : 1);
    }

    /// Removes an option from the arguments.
    ///
    /// @return its value; null if it is not there
    private static @Nullable String option(List<String> arguments, String name) {
        int at = arguments.indexOf(name);
        if (at < 0) {
            return null;
        }
        arguments.remove(at);
        return arguments.remove(at);
    }

    /// Judges the open places, in one stage after another.
    private boolean judge(@Nullable String devices) throws IOException, InterruptedException, ExecutionException {
        System.out.println(sample.head());
        var stages = new ArrayList<List<TestEnvironment>>();
        if (devices == null || devices.equals(SIMULATED)) {
            stages.addAll(TestEnvironment.simulated(root));
        }
        if (devices == null || !devices.equals(SIMULATED)) {
            stages.add(List.of(TestEnvironment.real(devices == null ? "uml" : devices)));
        }
        for (int stage = 0; stage < stages.size(); stage++) {
            judge(stages.get(stage), stage == stages.size() - 1);
        }
        int left = open().size();
        System.out.println(left + " of " + sample.drawn().size() + " survive");
        return left == 0;
    }

    private void judge(List<TestEnvironment> environments, boolean last)
            throws IOException, InterruptedException, ExecutionException {
        Map<Integer, List<List<Reached>>> tests = reached(environments);
        judge(tests, here -> within(FIRST_ROUND_MILLIS, here), false);
        judge(
                tests,
                here -> {
                    int before = within(FIRST_ROUND_MILLIS, here).size();
                    return within(SECOND_ROUND_MILLIS, here.subList(before, here.size()));
                },
                last);
    }

    /// Returns the first tests, as far as they do not take too long together.
    private static List<Reached> within(long millis, List<Reached> tests) {
        long sum = 0;
        int count = 0;
        while (count < tests.size() && (count == 0 || sum + tests.get(count).millis <= millis)) {
            sum += tests.get(count++).millis;
        }
        return tests.subList(0, count);
    }

    /// Returns the numbers of the places that are neither caught nor equivalent.
    private List<Integer> open() {
        var open = new ArrayList<Integer>();
        List<Sample.Drawn> drawn = sample.drawn();
        for (int number = 0; number < drawn.size(); number++) {
            if (drawn.get(number).isOpen()) {
                open.add(number);
            }
        }
        return open;
    }

    /// Judges the open places.
    ///
    /// @param tests the tests that reach each place, by environment
    /// @param part selects the tests of an environment to run
    /// @param last whether a place that passes survives
    private void judge(Map<Integer, List<List<Reached>>> tests, UnaryOperator<List<Reached>> part, boolean last)
            throws InterruptedException, ExecutionException {
        try (var workers = Executors.newFixedThreadPool(PROCESSES)) {
            var verdicts = new ArrayList<Future<?>>();
            for (int number : open()) {
                verdicts.add(workers.submit(() -> {
                    var chosen = tests.getOrDefault(number, List.of())
                            .stream()
                            .map(part)
                            .filter(here -> !here.isEmpty())
                            .toList();
                    Sample.Drawn drawn = sample.drawn().get(number);
                    String verdict = chosen.isEmpty() ? none(drawn) : verdict(drawn.at(), chosen);
                    if (verdict.startsWith("survived") && drawn.isNew() && !last) {
                        verdict = TO_THE_END + verdict;
                    }
                    sample.judge(number, verdict);
                    System.out.println(drawn.place() + ": " + verdict);
                    return number;
                }));
            }
            for (var verdict : verdicts) {
                verdict.get();
            }
        }
    }

    /// Returns the tests that reach each open place, by environment, the most likely to fail first. Each test is listed
    /// in one environment only.
    private Map<Integer, List<List<Reached>>> reached(List<TestEnvironment> environments)
            throws IOException, InterruptedException, ExecutionException {
        var byType = new HashMap<String, Map<Integer, Place>>();
        for (int number : open()) {
            Place place = sample.drawn().get(number).at();
            byType.computeIfAbsent(place.type(), _ -> new HashMap<>()).put(number, place);
        }
        var reached = new HashMap<Integer, List<Reached>>();
        try (var instrumented = new InstrumentedModules(root)) {
            for (var places : byType.entrySet()) {
                instrumented.change(places.getKey(), bytes -> Place.probe(bytes, places.getValue()));
            }
            List<TestEnvironment> needed = byType.isEmpty() ? List.of() : environments;
            Map<TestEnvironment, List<Ran>> ranIn = all(instrumented, needed);
            for (TestEnvironment environment : needed) {
                for (Ran ran : ranIn.get(environment)) {
                    Set<String> broken = ran.passed() ? Set.of() : Set.of(ran.verdict().split(","));
                    if (!ran.passed()) {
                        System.out
                                .println("fails " + environment + " without any defect: " + ran.test() + " " + broken);
                    }
                    for (int place : ran.reached()) {
                        List<Reached> tests = reached.computeIfAbsent(place, _ -> new ArrayList<>());
                        if (tests.stream().noneMatch(test -> test.test.equals(ran.test()))) {
                            tests.add(new Reached(environment, ran.test(), ran.millis(), broken));
                        }
                    }
                }
            }
        }
        var sorted = new HashMap<Integer, List<List<Reached>>>();
        reached.forEach(
                (number, tests) -> sorted.put(number, sorted(sample.drawn().get(number).at(), environments, tests)));
        return sorted;
    }

    private List<List<Reached>> sorted(Place place, List<TestEnvironment> environments, List<Reached> tests) {
        return environments.stream()
                .sorted(Comparator.comparing(environment -> !Files.exists(
                        root.resolve(environment.home()).resolve("src/main/java").resolve(place.source()))))
                .map(environment -> tests.stream()
                        .filter(test -> test.environment.equals(environment))
                        .sorted(Comparator.<Reached>comparingInt(test -> test.distance(place))
                                .thenComparingLong(Reached::millis))
                        .toList())
                .toList();
    }

    /// Returns what tests reach in each environment.
    private Map<TestEnvironment, List<Ran>> all(InstrumentedModules instrumented, List<TestEnvironment> environments)
            throws InterruptedException, ExecutionException {
        var ran = new HashMap<TestEnvironment, List<Ran>>();
        try (var workers = Executors.newFixedThreadPool(PROCESSES)) {
            var results = new HashMap<TestEnvironment, Future<List<Ran>>>();
            for (TestEnvironment environment : environments) {
                results.put(environment, workers.submit(() -> all(instrumented, environment)));
            }
            for (var result : results.entrySet()) {
                ran.put(result.getKey(), result.getValue().get());
            }
        }
        return ran;
    }

    /// Returns what tests reach in one environment, from the file where it is kept until all places are judged.
    private List<Ran> all(InstrumentedModules instrumented, TestEnvironment environment)
            throws IOException, InterruptedException {
        Path kept = sample.kept(root, environment);
        boolean first = everything && sample.drawn().stream().anyMatch(drawn -> drawn.now().startsWith(Sample.OPEN));
        if (first && Files.exists(kept)) {
            return Files.readAllLines(kept).stream().map(Ran::parse).toList();
        }
        var jobs = environment.tests(root)
                .stream()
                .filter(chosen)
                .map(test -> new SampleTests.Job(test, PROBE_MILLIS, Set.of()))
                .toList();
        List<Ran> ran = all(instrumented, environment, jobs);
        if (first) {
            Files.write(kept, ran.stream().map(Ran::text).toList());
        }
        return ran;
    }

    private static List<Ran> all(InstrumentedModules instrumented, TestEnvironment environment,
            List<SampleTests.Job> jobs)
            throws IOException, InterruptedException {
        var ran = new ArrayList<Ran>();
        int next = 0;
        while (next < jobs.size()) {
            List<Ran> more = instrumented.run(environment, "all", jobs.subList(next, jobs.size()));
            ran.addAll(more);
            next += more.size();
            if (next < jobs.size()) {
                System.out.println("ends the process " + environment + " without any defect: " + jobs.get(next).name());
                next++;
            }
        }
        return ran;
    }

    /// Returns the result of a place that no further test reaches.
    private static String none(Sample.Drawn drawn) {
        String before = drawn.now().replace(TO_THE_END, "");
        return before.startsWith(Sample.OPEN) ? "survived, since no test gets there" : before;
    }

    private String verdict(Place place, List<List<Reached>> tests) throws IOException, InterruptedException {
        try (var instrumented = new InstrumentedModules(root)) {
            instrumented.change(place.type(), place::apply);
            for (List<Reached> here : tests) {
                TestEnvironment environment = here.getFirst().environment;
                List<Ran> ran = instrumented.run(environment, "first", here.stream().map(Reached::job).toList());
                int passed = (int) ran.stream().takeWhile(Ran::passed).count();
                if (passed < here.size()) {
                    return "caught by " + here.get(passed).name() + words(ran.subList(passed, ran.size())) + " "
                            + environment;
                }
            }
        }
        return "survived "
                + tests.stream().flatMap(List::stream).map(Reached::name).distinct().limit(12).toList();
    }

    private static String words(List<Ran> ran) {
        if (ran.isEmpty()) {
            return ", whose process died,";
        }
        String failed = ran.getFirst().verdict().split(",")[0];
        return failed.equals(SampleTests.NO_END) ? ", which did not end," : "." + failed.replaceAll("\\(.*", "");
    }
}
