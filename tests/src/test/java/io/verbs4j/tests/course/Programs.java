// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// The programs of the course, compiled in memory, and run in this virtual machine: starting one for each would take minutes
/// in an emulated guest.
final class Programs extends ClassLoader {
    private final Map<String, Compiled> classes;

    private static final class Compiled extends SimpleJavaFileObject {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Compiled(String name) {
            super(URI.create("memory:///" + name + ".class"), Kind.CLASS);
        }

        @Override
        public ByteArrayOutputStream openOutputStream() {
            return bytes;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, Compiled> classes = new HashMap<>();

        InMemory(StandardJavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return classes.computeIfAbsent(name, Compiled::new);
        }
    }

    private Programs(Map<String, Compiled> classes) {
        super(Programs.class.getClassLoader());
        this.classes = classes;
    }

    /// Compiles all of them at once, so no two may have the same name.
    ///
    /// @throws IllegalStateException with what the compiler says, warnings too
    static Programs compile(List<Chapter.Program> programs) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var says = new DiagnosticCollector<JavaFileObject>();
        StandardJavaFileManager files = compiler.getStandardFileManager(says, null, StandardCharsets.UTF_8);
        try (var memory = new InMemory(files)) {
            var options = List.of(
                    "-classpath", System.getProperty("java.class.path"), "-Xlint:all,-processing", "-proc:none",
                    "--release", "25");
            var sources = files.getJavaFileObjectsFromPaths(
                    programs.stream().map(Chapter.Program::source).toList());
            boolean done = compiler.getTask(null, memory, says, options, null, sources).call();
            var messages = new ArrayList<String>();
            says.getDiagnostics().forEach(message -> messages.add(message.toString()));
            if (!done || !messages.isEmpty()) {
                throw new IllegalStateException(String.join("\n", messages));
            }
            return new Programs(memory.classes);
        } catch (IOException e) {
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
                throw new IllegalStateException(program + " has no main method", e);
            }
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void main(String name) throws ReflectiveOperationException {
        Class<?> type = loadClass(name);
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        var main = type.getDeclaredMethod("main");
        main.setAccessible(true);
        main.invoke(constructor.newInstance());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Compiled found = classes.get(name);
        if (found == null) {
            throw new ClassNotFoundException(name);
        }
        byte[] code = found.bytes.toByteArray();
        return defineClass(name, code, 0, code.length);
    }
}
