// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.Devices;
import io.verbs4j.spi.ProviderFactory;
import io.verbs4j.types.Errno;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The command line of another Java process with our own code, made so that it starts fast.
public final class JavaProcess {
    /// The cache of loaded and linked classes that this process has been started from, if there is one.
    private static final Optional<String> CACHE = Optional.ofNullable(System.getProperty("verbs4j.tests.cache"));

    private static final String TOOLS_PORT = "verbs4j.tools.port";

    private static final List<String> QUICK_COMPILER = List.of("-XX:TieredStopAtLevel=1");

    private JavaProcess() {}

    /// Returns the command line of a short program.
    ///
    /// @param main the main class
    public static List<String> command(Class<?> main) {
        return command(main.getName(), System.getProperty("java.class.path"), withCache(QUICK_COMPILER));
    }

    /// Returns the command line of a program for the optimizing compiler.
    ///
    /// @param main the main class
    public static List<String> optimizing(Class<?> main) {
        return command(
                main.getName(),
                System.getProperty("java.class.path"),
                withCache(List.of("-XX:-TieredCompilation", "-XX:CompileThreshold=1000")));
    }

    /// Returns the command line of a short program that an ordinary user can run. It uses the cache of classes if that
    /// user can read the cache and all jars.
    ///
    /// @param folder folder for copies of our jars otherwise
    /// @param main the main class
    /// @param more classes of further modules that it needs
    public static List<String> forOrdinaryUser(Path folder, Class<?> main, Class<?>... more) {
        String all = System.getProperty("java.class.path");
        boolean readable = CACHE.isPresent()
                && Stream.concat(Stream.of(all.split(File.pathSeparator)), CACHE.stream())
                        .allMatch(file -> isReadableByAll(Path.of(file).toAbsolutePath()));
        return readable ? command(main) : command(main.getName(), classPath(folder, main, more), QUICK_COMPILER);
    }

    private static boolean isReadableByAll(Path file) {
        try {
            boolean readable = Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
            for (Path above = file.getParent(); readable && above != null; above = above.getParent()) {
                readable = Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE);
            }
            return readable;
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns the command line of a program with a class path of its own.
    ///
    /// @param main name of the main class
    /// @param classPath the complete class path
    public static List<String> command(String main, String classPath) {
        return command(main, classPath, QUICK_COMPILER);
    }

    /// The program `java` that runs this process.
    public static String launcher() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static List<String> withCache(List<String> options) {
        var all = new ArrayList<>(options);
        CACHE.ifPresent(cache -> all.addAll(List.of("-XX:AOTCache=" + cache, "-Xlog:disable")));
        return all;
    }

    private static List<String> command(String program, String classPath, List<String> options) {
        var command = new ArrayList<String>();
        command.add(launcher());
        command.addAll(options);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(toolsPort());
        command.addAll(List.of("-cp", classPath, program));
        return command;
    }

    /// Returns the option by which commands of a started program use the TCP port of this process, if it has its own.
    public static List<String> toolsPort() {
        return Stream.ofNullable(System.getProperty(TOOLS_PORT)).map(port -> "-D" + TOOLS_PORT + "=" + port).toList();
    }

    private static String classPath(Path folder, Class<?> main, Class<?>... more) {
        var classes = new ArrayList<Class<?>>(List.of(main, Devices.class, ProviderFactory.class, Errno.class));
        classes.addAll(List.of(more));
        ServiceLoader.load(ProviderFactory.class).forEach(provider -> classes.add(provider.getClass()));
        return classes.stream()
                .map(JavaProcess::source)
                .collect(Collectors.toCollection(LinkedHashSet::new))
                .stream()
                .map(source -> readableByAll(folder, source))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path source(Class<?> type) {
        try {
            URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(place);
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static String readableByAll(Path folder, Path source) {
        if (Files.isDirectory(source)) {
            return source.toString();
        }
        try {
            return Files.copy(source, folder.resolve(source.getFileName())).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
