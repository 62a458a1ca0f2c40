// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.sockets;

import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.ToolException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The start line of a Java program.
///
/// @param words the words of the line
/// @param options options of the virtual machine, each one word, also those of the environment, which come first
/// @param jar the file behind `-jar`; null if there is none
/// @param mainClass the main class; empty with `-jar`
/// @param classPath files and folders that classes are loaded from
/// @param folder the folder that relative names begin in
record StartLine(
        List<String> words,
        List<String> options,
        @Nullable Path jar,
        String mainClass,
        List<Path> classPath,
        Path folder) {
    private static final Set<String> CLASS_PATH_OPTIONS = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> MODULE_PATH_OPTIONS = Set.of("-p", "--module-path");
    private static final Set<String> MODULE_OPTIONS = Set.of("-m", "--module");
    /// Other options whose value may be the next word.
    private static final Set<String> WITH_VALUE = Set.of(
            "--add-modules", "--add-exports", "--add-opens", "--add-reads", "--enable-native-access", "--limit-modules",
            "--patch-module", "--upgrade-module-path", "--source", "--illegal-native-access", "--finalization");

    private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"]++|'[^']*+'|\"[^\"]*+\")++");

    /// Reads a start line.
    ///
    /// @param environment the program's environment: `JDK_JAVA_OPTIONS`, `JAVA_TOOL_OPTIONS` and `CLASSPATH` count
    /// @throws ToolException if the line starts no Java program
    static StartLine parse(List<String> words, Map<String, String> environment, Path folder) {
        Path launcher = words.isEmpty() ? null : Path.of(words.getFirst()).getFileName();
        if (launcher == null || !launcher.toString().equals("java")) {
            throw new ToolException(
                    "the line does not start the java command", "name the whole line, as in: java -jar app.jar");
        }
        var parser = new Parser(folder, environment.getOrDefault("CLASSPATH", "."));
        parser.options.addAll(split(environment.getOrDefault("JAVA_TOOL_OPTIONS", "")));
        parser.parse(split(environment.getOrDefault("JDK_JAVA_OPTIONS", ""))); // the launcher reads it like the line
        parser.parse(words.subList(1, words.size()));
        return parser.result(words);
    }

    /// Splits a variable into words. A quoted blank does not end a word. The quotes are removed.
    private static List<String> split(String variable) {
        return WORD.matcher(variable)
                .results()
                .map(word -> word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"))
                .toList();
    }

    /// Returns the value of a system property; null if the line does not set it. The last one counts.
    @Nullable
    String property(String name) {
        String start = "-D" + name + "=";
        return options.stream()
                .filter(option -> option.startsWith(start))
                .reduce((first, second) -> second)
                .map(option -> option.substring(start.length()))
                .orElse(null);
    }

    /// Returns whether one of the values of an option, which may be a list, is the given one.
    boolean hasValue(String option, String value) {
        return options.stream()
                .filter(each -> each.startsWith(option + "="))
                .flatMap(each -> Arrays.stream(each.substring(option.length() + 1).split(",", -1)))
                .anyMatch(value::equals);
    }

    /// Returns a file that the line names.
    Path file(String name) {
        return folder.resolve(name);
    }

    /// Returns the line with more options.
    String with(List<String> added) {
        var line = new ArrayList<String>();
        line.add(words.getFirst());
        line.addAll(added);
        line.addAll(words.subList(1, words.size()));
        return String.join(" ", line);
    }

    private static final class Parser {
        private final Path folder;
        private final List<String> options = new ArrayList<>();
        private final List<Path> modulePath = new ArrayList<>();
        private String classPath;
        private @Nullable Path jar;
        private String mainClass = "";

        Parser(Path folder, String classPath) {
            this.folder = folder;
            this.classPath = classPath;
        }

        void parse(List<String> words) {
            for (int i = 0; i < words.size(); i++) {
                String word = words.get(i);
                String next = i + 1 < words.size() ? words.get(i + 1) : "";
                if (word.equals("-jar")) {
                    jar = folder.resolve(next);
                    return;
                } else if (MODULE_OPTIONS.contains(word)) {
                    mainClass = next;
                    return;
                } else if (CLASS_PATH_OPTIONS.contains(word)) {
                    classPath = next;
                    i++;
                } else if (MODULE_PATH_OPTIONS.contains(word)) {
                    modulePath.addAll(paths(next));
                    i++;
                } else if (WITH_VALUE.contains(word)) {
                    options.add(word + "=" + next);
                    i++;
                } else if (word.startsWith("--class-path=")) {
                    classPath = word.substring(word.indexOf('=') + 1);
                } else if (word.startsWith("--module-path=")) {
                    modulePath.addAll(paths(word.substring(word.indexOf('=') + 1)));
                } else if (word.startsWith("-") || word.startsWith("@")) {
                    options.add(word);
                } else {
                    mainClass = word;
                    return;
                }
            }
        }

        private List<Path> paths(String list) {
            return Arrays.stream(list.split(File.pathSeparator, -1))
                    .filter(name -> !name.isEmpty())
                    .map(folder::resolve)
                    .toList();
        }

        StartLine result(List<String> words) {
            var all = new ArrayList<Path>();
            if (jar != null) {
                all.add(jar);
                all.addAll(classPathOf(jar));
            } else {
                paths(classPath).forEach(path -> addExpanded(path, "*", all));
                modulePath.forEach(path -> addExpanded(path.resolve("*"), "*", all));
                all.addAll(modulePath);
            }
            return new StartLine(words, List.copyOf(options), jar, mainClass, List.copyOf(all), folder);
        }

        private static void addExpanded(Path path, String wildcard, List<Path> all) {
            Path parent = path.getParent();
            if (!path.endsWith(wildcard) || parent == null) {
                all.add(path);
                return;
            }
            try (Stream<Path> files = Files.list(parent)) {
                files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(all::add);
            } catch (IOException e) {
                // No folder: the virtual machine ignores it, too.
            }
        }

        private static List<Path> classPathOf(Path jar) {
            Path parent = jar.toAbsolutePath().getParent();
            try (var file = new JarFile(jar.toFile())) {
                Manifest manifest = file.getManifest();
                String names = manifest == null ? null : manifest.getMainAttributes().getValue("Class-Path");
                if (names == null || parent == null) {
                    return List.of();
                }
                return Arrays.stream(names.strip().split("\\s+", -1))
                        .map(name -> parent.resolve(name.replaceFirst("^file:", "")))
                        .toList();
            } catch (IOException e) {
                throw new ToolException("cannot read " + jar + ": " + IoFailure.reason(e),
                        "check the path behind -jar");
            }
        }
    }
}
