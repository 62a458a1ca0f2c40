// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// The compiled programs of the course. They run in this JVM, because starting a JVM for each would take minutes in an
/// emulated guest.
final class Programs implements AutoCloseable {
    private final URLClassLoader classes;

    Programs(Path repository) {
        Path folder = repository.resolve("tests/target/course");
        try {
            classes = new URLClassLoader(new URL[]{folder.toUri().toURL()}, Programs.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Runs one, and returns what it printed to its standard output; what it throws is printed, too.
    synchronized String run(Chapter.Program program) {
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        try (var out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            try {
                main(program.name());
            } catch (InvocationTargetException e) {
                out.println(e.getCause());
                before.println(program + " ended with an exception:");
                e.getCause().printStackTrace(before);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(program + " has no main method, or was not built", e);
            }
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /// As the launcher does it for a program without a class of its own (JEP 512).
    private void main(String name) throws ReflectiveOperationException {
        Class<?> type = classes.loadClass(name);
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        var main = type.getDeclaredMethod("main");
        main.setAccessible(true);
        main.invoke(constructor.newInstance());
    }

    @Override
    public void close() throws IOException {
        classes.close();
    }
}
