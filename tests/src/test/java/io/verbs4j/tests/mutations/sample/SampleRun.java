// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import io.verbs4j.tests.support.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The program behind `tools/mutations --sample`: draws places of the compiled code by lot, finds which tests reach each, and runs those
/// with the place's defect built in, until one fails.
public final class SampleRun {
    private static final List<String> JUDGED =
            List.of("uverbs-abi", "provider-api", "provider-rxe", "verbs", "rdma-cm");
    private static final List<String> TESTING =
            List.of("uverbs-abi", "provider-rxe", "roce", "simulator-junit", "async", "tools", "tests");
    private static final List<String> KERNELS = List.of("7.2");
    /// User-mode Linux, in which real devices are.
    private static final String REAL = "uml";
    /// The tests of features that simulated devices do not have.
    private static final Pattern ON_REAL_DEVICES =
            Pattern.compile("\\.tests\\.(cm|device|management|wire|faults|lifetime)\\.");
    private static final Set<String> LONG =
            Set.of("CourseIT", "EveryAllocationIT", "RandomWalksIT", "ConnectionWalksIT");
    private static final long LEAST_SECONDS = 90;
    private static final long PROBE_SECONDS = 3600;

    private final Path root;
    private final Path work;
    private final Path agent;
    private final List<Place> places;
    private final Path placesFile;

    /// Test classes that run in one way.
    ///
    /// @param home module in whose folder they run
    /// @param kernel whose simulated devices they run on; empty for none
    private record Way(String home, String kernel) {
        @Override
        public String toString() {
            return kernel.isEmpty() ? home : kernel.equals(REAL) ? "real devices" : "simulated Linux " + kernel;
        }
    }

    private record Reached(Way way, String test, long millis) {}

    private SampleRun(Path root, int number, long seed) throws IOException {
        this.root = root;
        this.work = Files.createTempDirectory("verbs4j-sample");
        this.agent = agent(work.resolve("agent.jar"));
        this.places = draw(root, number, seed);
        this.placesFile = Files.write(
                work.resolve("places"), places.stream().map(Place::text).toList());
    }

    /// Arguments: the project's root, how many places, the seed, and then optionally a text that a place must contain.
    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        Path root = Path.of(arguments[0]).toAbsolutePath();
        var run = new SampleRun(root, Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
        System.exit(run.judge(arguments.length > 3 ? arguments[3] : "") ? 0 : 1);
    }

    private static List<Place> draw(Path root, int number, long seed) throws IOException {
        var all = new ArrayList<Place>();
        for (String module : JUDGED) {
            try (Stream<Path> sources = Files.walk(root.resolve(module).resolve("src/main/java"))) {
                var types = sources
                        .map(file -> root.resolve(module).resolve("src/main/java").relativize(file).toString())
                        .filter(file -> file.endsWith(".java") && !file.endsWith("-info.java"))
                        .map(file -> file.substring(0, file.length() - ".java".length()))
                        .sorted()
                        .toList();
                for (String type : types) {
                    all.addAll(placesOf(type));
                }
            }
        }
        Collections.shuffle(all, new Random(seed));
        System.out.println(all.size() + " places, of which " + number + " are drawn with seed " + seed);
        return List.copyOf(all.subList(0, number));
    }

    /// Returns the places of a class and of those nested in it.
    private static List<Place> placesOf(String type) throws IOException {
        var places = new ArrayList<Place>();
        var file = SampleRun.class.getClassLoader().getResource(type + ".class");
        Path found = Path.of(URI.create(file.toString()));
        String name = found.getFileName().toString().replace(".class", "");
        try (Stream<Path> beside = Files.list(found.getParent())) {
            for (Path each : beside.filter(path -> {
                String other = path.getFileName().toString();
                return other.equals(name + ".class") || other.startsWith(name + "$");
            }).sorted().toList()) {
                places.addAll(Place.of(Files.readAllBytes(each)));
            }
        }
        return places;
    }

    private static Path agent(Path jar) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), SampleAgent.class.getName());
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }

    private boolean judge(String only) throws IOException, InterruptedException, ExecutionException {
        Map<Integer, List<Reached>> reached = reached();
        var verdicts = new LinkedHashMap<Place, Future<String>>();
        int survivors = 0;
        try (var workers = Executors.newFixedThreadPool(2)) {
            for (int number = 0; number < places.size(); number++) {
                Place place = places.get(number);
                int defect = number;
                if (place.text().contains(only)) {
                    verdicts.put(place, workers.submit(() -> verdict(defect, reached.getOrDefault(defect, List.of()))));
                }
            }
            for (var verdict : verdicts.entrySet()) {
                String text = verdict.getValue().get();
                survivors += text.startsWith("caught") ? 0 : 1;
                System.out.println(verdict.getKey().text() + ": " + text);
            }
        }
        System.out.printf("%d defects, %d survived%n", verdicts.size(), survivors);
        return survivors == 0;
    }

    private Map<Integer, List<Reached>> reached() throws IOException, InterruptedException {
        var reached = new HashMap<Integer, List<Reached>>();
        for (Way way : ways()) {
            for (String[] line : run(way, testsOf(way), "all", placesFile.toString(), PROBE_SECONDS)) {
                if (!line[2].equals("passed")) {
                    System.out.println(line[1] + " fails without any defect: " + line[2]);
                    continue;
                }
                for (String place : line[4].replaceAll("[\\[\\] ]", "").split(",")) {
                    if (!place.isEmpty()) {
                        reached.computeIfAbsent(Integer.parseInt(place), _ -> new ArrayList<>())
                                .add(new Reached(way, line[1], Long.parseLong(line[3])));
                    }
                }
            }
        }
        reached.values().forEach(tests -> tests.sort(Comparator.comparingLong(Reached::millis)));
        return reached;
    }

    private List<Way> ways() {
        return Stream.concat(
                TESTING.stream().map(home -> new Way(home, "")),
                Stream.concat(KERNELS.stream(), Stream.of(REAL)).map(kernel -> new Way("tests", kernel)))
                .toList();
    }

    private List<String> testsOf(Way way) throws IOException {
        String name = way.kernel.isEmpty() ? "(Test|Properties)" : "IT";
        Path sources = root.resolve(way.home).resolve("src/test/java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.map(file -> sources.relativize(file).toString())
                    .filter(file -> file.matches("io/verbs4j/.*" + name + "\\.java"))
                    .map(file -> file.replaceAll("\\.java$", "").replace('/', '.'))
                    .filter(test -> !test.contains(".architecture.") && !test.contains(".mutations."))
                    .filter(test -> !LONG.contains(test.substring(test.lastIndexOf('.') + 1)))
                    .filter(test -> !way.kernel.equals(REAL) || ON_REAL_DEVICES.matcher(test).find())
                    .sorted()
                    .toList();
        }
    }

    private String verdict(int defect, List<Reached> tests) throws IOException, InterruptedException {
        if (tests.isEmpty()) {
            return "SURVIVED, since no test reaches it";
        }
        for (Way way : ways()) {
            List<Reached> here = tests.stream().filter(test -> test.way.equals(way)).toList();
            if (!here.isEmpty()) {
                long seconds = LEAST_SECONDS + 4 * here.stream().mapToLong(Reached::millis).sum() / 1000;
                List<String[]> lines = run(
                        way, here.stream().map(Reached::test).toList(), "first", placesFile + "," + defect, seconds);
                if (lines.size() < here.size() || !lines.getLast()[2].equals("passed")) {
                    String[] last = lines.isEmpty() ? new String[0] : lines.getLast();
                    return "caught by " + (last.length > 0 && !last[2].equals("passed")
                            ? last[1] + "." + last[2]
                            : here.get(lines.size()).test + ", which does not end") + " on " + way;
                }
            }
        }
        return "SURVIVED " + tests.size() + " tests: "
                + tests.stream()
                        .map(test -> test.test.substring(test.test.lastIndexOf('.') + 1))
                        .distinct()
                        .limit(12)
                        .toList();
    }

    /// @return the words of the lines about tests that came to an end
    private List<String[]> run(Way way, List<String> tests, String mode, String agentArguments, long seconds)
            throws IOException, InterruptedException {
        Path list = Files.write(Files.createTempFile(work, "tests", ""), tests);
        var command = new ArrayList<>(List.of(
                JavaProcess.launcher(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-javaagent:" + agent + "=" + agentArguments));
        if (!way.kernel.isEmpty() && !way.kernel.equals(REAL)) {
            command.add("-Dverbs4j.simulate=2:" + way.kernel);
            command.add("-Dos.version=" + way.kernel + ".0-simulated");
        }
        command.addAll(List.of(
                "-cp", absolute(System.getProperty("java.class.path")), SampleTests.class.getName(), mode,
                list.toString()));
        if (way.kernel.equals(REAL)) {
            command.addAll(0, List.of(root.resolve("tools/lab").toString(), "run", "--kernel", REAL, "--"));
        }
        Path output = Files.createTempFile(work, "output", "");
        Process process = new ProcessBuilder(command)
                .directory(root.resolve(way.home).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        try (Stream<String> lines = Files.lines(output)) {
            return lines.filter(line -> line.startsWith("TEST ")).map(line -> line.split(" ", 5)).toList();
        } catch (UncheckedIOException e) {
            throw new IOException(output.toString(), e);
        }
    }

    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
