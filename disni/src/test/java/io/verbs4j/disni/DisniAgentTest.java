// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts the agent from a jar, and compares the loaded classes with the jar's.
class DisniAgentTest {
    private static Path jar(Path classes, Path jar) throws IOException {
        try (var out = new JarOutputStream(Files.newOutputStream(jar)); Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
        return jar;
    }

    @Test
    void replacesTheClassesThatDisniImplementsInC(@TempDir Path directory) throws Exception {
        Path classes = Path.of(DisniAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path jar = Files.isDirectory(classes) ? jar(classes, directory.resolve("disni.jar")) : classes;
        var transformers = new ArrayList<ClassFileTransformer>();
        Object instrumentation = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{Instrumentation.class}, (_, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("addTransformer");
                    transformers.add((ClassFileTransformer) arguments[0]);
                    return null;
                });
        try (var loader = new URLClassLoader(new URL[]{jar.toUri().toURL()}, null)) {
            loader.loadClass(DisniAgent.class.getName())
                    .getMethod("premain", String.class, Instrumentation.class)
                    .invoke(null, null, instrumentation);
            ClassFileTransformer agent = transformers.getFirst();
            for (String name : List.of("verbs/impl/NativeDispatcher", "rdma/verbs/impl/NativeDispatcher",
                    "util/MemoryUtils", "util/NativeAffinity")) {
                try (var ours = loader.getResourceAsStream("com/ibm/disni/" + name + ".class")) {
                    assertThat(agent.transform(null, "com/ibm/disni/" + name, null, null, new byte[0]))
                            .isEqualTo(ours.readAllBytes());
                }
            }
            assertThat(agent.transform(null, "com/ibm/disni/RdmaEndpoint", null, null, new byte[0])).isNull();
            assertThat(agent.transform(null, null, null, null, new byte[0])).as("a hidden class").isNull();
        }
        assertThat(transformers).hasSize(1);
    }
}
