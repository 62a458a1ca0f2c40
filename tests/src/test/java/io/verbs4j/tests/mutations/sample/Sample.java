// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Randomly chosen places, with the test results for each: the file `tests/samples/SEED.txt`. Its first line describes
/// what it was drawn from. Each other line contains a place, the test result at the time of selection, and the current
/// one, separated by bars. The last may also be written by hand: `equivalent: REASON` if a program cannot observe the
/// difference, and `survived: REASON`.
public final class Sample {
    private static final String BAR = " | ";
    /// Begins the result of a place until it is judged in all environments.
    static final String OPEN = "not judged";

    private final Path file;
    private final String head;
    private final List<Drawn> drawn;

    /// A place of the sample.
    ///
    /// @param place the text of [Place#text]
    /// @param first the test result at the time of selection
    /// @param now the current test result
    public record Drawn(String place, String first, String now) {
        /// Returns whether a test fails now.
        public boolean isCaught() {
            return isCaught(now);
        }

        /// Returns whether a test failed when the place was drawn.
        public boolean wasCaught() {
            return isCaught(first);
        }

        /// Returns whether no test can fail.
        public boolean isEquivalent() {
            return now.startsWith("equivalent: ");
        }

        private static boolean isCaught(String verdict) {
            return verdict.startsWith("caught ");
        }

        /// Returns the place for readers: file, line and method.
        public String where() {
            Place at = at();
            return "`%s.java:%d` `%s`".formatted(at.file(), at.line(), at.method().replaceAll("\\(.*", ""));
        }

        /// Returns the defect for readers.
        public String what() {
            return at().change().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /// Returns whether only a test on real devices fails now.
        public boolean needsRealDevices() {
            return isCaught() && now.endsWith(TestEnvironment.Devices.REAL.text());
        }

        boolean isOpen() {
            return !isCaught() && !isEquivalent();
        }

        /// Returns whether the place has not yet been judged in all environments.
        boolean isNew() {
            return first.startsWith(OPEN);
        }

        Drawn judged(String verdict) {
            boolean known = now.startsWith("survived: ") && !isCaught(verdict);
            return new Drawn(place, isNew() ? verdict : first, known ? now : verdict);
        }

        Place at() {
            return Place.parse(place);
        }
    }

    private Sample(Path file, String head, List<Drawn> drawn) {
        this.file = file;
        this.head = head;
        this.drawn = new ArrayList<>(drawn);
    }

    /// Returns the file of a sample.
    static Path file(Path root, long seed) {
        return root.resolve("tests/samples").resolve(seed + ".txt");
    }

    /// Returns the file that keeps which tests reach which places.
    Path kept(Path root, TestEnvironment environment) {
        return root.resolve("tests/target/samples")
                .resolve(seed() + "-" + environment.home() + "-" + environment.devices());
    }

    /// Reads a sample.
    public static Sample read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            return new Sample(file, lines.getFirst(), lines.stream().skip(1).map(line -> {
                String[] parts = line.split(" \\| ");
                return new Drawn(parts[0], parts[1], parts[2]);
            }).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads all samples of a project.
    public static List<Sample> all(Path root) {
        Path folder = root.resolve("tests/samples");
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().map(Sample::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Selects a sample, with the same number of places from each module.
    ///
    /// @param number number of places from each module
    /// @param modules modules whose main code it is selected from
    static Sample draw(Path root, int number, long seed, List<String> modules) throws IOException {
        var random = new Random(seed);
        var drawn = new ArrayList<Drawn>();
        for (String module : modules) {
            List<Place> places = places(root.resolve(module).resolve("target/classes"));
            Collections.shuffle(places, random);
            places.stream().limit(number).forEach(place -> drawn.add(new Drawn(place.text(), OPEN, OPEN)));
        }
        String head = "%d places, %d of each module: %s".formatted(drawn.size(), number, String.join(", ", modules));
        return new Sample(file(root, seed), head, drawn);
    }

    private static List<Place> places(Path classes) throws IOException {
        var places = new ArrayList<Place>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("module-info.class"))
                    .sorted()
                    .toList()) {
                places.addAll(Place.of(Files.readAllBytes(file)));
            }
        }
        return places;
    }

    /// Returns what was drawn from what.
    public String head() {
        return head;
    }

    /// Returns the places in the order in which they were drawn.
    public synchronized List<Drawn> drawn() {
        return List.copyOf(drawn);
    }

    /// Returns the seed it was drawn with.
    public String seed() {
        return file.getFileName().toString().replace(".txt", "");
    }

    /// Returns how many of the defects that are not equivalent are caught now: from 0 to 1.
    public double shareCaught() {
        return share(Drawn::isCaught);
    }

    /// Returns how many of the defects that are not equivalent were caught when they were drawn: from 0 to 1.
    public double shareCaughtAtFirst() {
        return share(Drawn::wasCaught);
    }

    /// Returns how many of the defects that are not equivalent are caught on real devices only: from 0 to 1.
    public double shareOfRealDevices() {
        return share(Drawn::needsRealDevices);
    }

    private double share(Predicate<Drawn> counts) {
        List<Drawn> different = drawn().stream().filter(each -> !each.isEquivalent()).toList();
        return (double) different.stream().filter(counts).count() / different.size();
    }

    /// Notes a verdict, and writes the file.
    synchronized void judge(int number, String verdict) throws IOException {
        drawn.set(number, drawn.get(number).judged(verdict));
        Files.createDirectories(file.getParent());
        Files.write(
                file,
                Stream.concat(
                        Stream.of(head),
                        drawn.stream().map(each -> String.join(BAR, each.place, each.first, each.now)))
                        .toList());
    }
}
