// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.io.IOException;
import java.util.Arrays;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.platform.console.ConsoleLauncher;

/// Records the cache of classes for the device tests. Loads each class of the given jars without initializing it, and
/// then passes the arguments after `--` to JUnit's console launcher. Under emulation, parsing and verifying these
/// classes again takes many seconds.
final class AotTestTraining {
    private static final String CLASS = ".class";

    private AotTestTraining() {}

    public static void main(String[] arguments) throws IOException {
        int end = Arrays.asList(arguments).indexOf("--");
        for (int i = 0; i < end; i++) {
            try (var jar = new JarFile(arguments[i])) {
                jar.stream().map(ZipEntry::getName).filter(AotTestTraining::isClass).forEach(AotTestTraining::load);
            }
        }
        ConsoleLauncher.main(Arrays.copyOfRange(arguments, end + 1, arguments.length));
    }

    private static boolean isClass(String entry) {
        return entry.endsWith(CLASS) && !entry.endsWith("-info.class") && !entry.startsWith("META-INF/");
    }

    private static void load(String entry) {
        String name = entry.substring(0, entry.length() - CLASS.length()).replace('/', '.');
        try {
            Class.forName(name, false, AotTestTraining.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError unused) {
            // It needs something that is not here, and so will no test.
        }
    }
}
