// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A published version of DiSNI, unchanged, after this module on a separate class path.
enum DisniVersion {
    /// Uses the examples of 2.0, because no test jar of 2.1 is published.
    DISNI_2_1("disni-2.1.jar", "disni-2.0-tests.jar"),
    DISNI_2_0("disni-2.0.jar", "disni-2.0-tests.jar"),
    DISNI_1_7("disni-1.7.jar", "disni-1.7-tests.jar");

    private static final Path PEERS = Path.of(System.getProperty("verbs4j.peers", "target/peers"));

    private final List<String> jars;

    DisniVersion(String... jars) {
        this.jars = List.of(jars);
    }

    /// Returns a loader in which this module's classes precede DiSNI's.
    ///
    /// @param programs jars of programs that use this version
    URLClassLoader loader(String... programs) throws IOException {
        var path = new ArrayList<URL>();
        path.add(Calls.class.getProtectionDomain().getCodeSource().getLocation());
        for (String jar : jars) {
            path.add(url(jar));
        }
        for (String jar : programs) {
            path.add(url(jar));
        }
        path.add(url("commons-cli-1.3.1.jar"));
        return new URLClassLoader(path.toArray(URL[]::new), new Shared());
    }

    private static URL url(String jar) throws MalformedURLException {
        return PEERS.resolve(jar).toUri().toURL();
    }

    /// Runs a program.
    ///
    /// @param method `main`, or a method of a new object
    static void run(ClassLoader loader, String program, String method, String... arguments)
            throws ReflectiveOperationException {
        Class<?> type = Class.forName(program, true, loader);
        Object object = method.equals("main") ? null : type.getConstructor().newInstance();
        type.getMethod(method, String[].class).invoke(object, (Object) arguments);
    }

    /// Loads the classes that the programs share with the test: those of the JDK and of verbs4j, but none of DiSNI's.
    private static final class Shared extends ClassLoader {
        Shared() {
            super(DisniVersion.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.ibm.") || name.startsWith("org.apache.commons.cli.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
