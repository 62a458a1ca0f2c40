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
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/// The command line of another Java process with our own code, made so that it starts fast and also an ordinary user can run it.
public final class JavaProcess {
    private JavaProcess() {}

    /// The command for a program that ends soon.
    ///
    /// @param folder where copies of our jars are left: an ordinary user may not be able to read them where they are
    /// @param main class to run
    public static List<String> command(Path folder, Class<?> main) {
        return command(folder, main, List.of("-XX:TieredStopAtLevel=1"));
    }

    /// The command for a program that the optimizing compiler shall soon take on.
    ///
    /// @param folder where copies of our jars are left
    /// @param main class to run
    public static List<String> optimizing(Path folder, Class<?> main) {
        return command(
                folder,
                main,
                List.of("-XX:-TieredCompilation", "-XX:CompileThreshold=1000"));
    }

    private static List<String> command(Path folder, Class<?> main, List<String> compiler) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(compiler);
        command.addAll(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(folder, main),
                main.getName()));
        return command;
    }

    private static String classPath(Path folder, Class<?> main) {
        var classes = new ArrayList<Class<?>>(List.of(main, Devices.class, ProviderFactory.class, Errno.class));
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
