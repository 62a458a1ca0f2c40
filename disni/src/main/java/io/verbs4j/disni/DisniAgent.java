// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URISyntaxException;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/// Replaces DiSNI's classes while they are loaded, for class paths whose order is not fixed:
/// `java -javaagent:verbs4j-disni.jar …`. The jars of verbs4j must be on the class path, at any place.
public final class DisniAgent {
    private static final List<String> REPLACED = List.of(
            "com/ibm/disni/verbs/impl/NativeDispatcher",
            "com/ibm/disni/rdma/verbs/impl/NativeDispatcher",
            "com/ibm/disni/util/MemoryUtils",
            "com/ibm/disni/util/NativeAffinity");

    private DisniAgent() {}

    /// Called by the JDK before the program.
    ///
    /// @param arguments ignored
    public static void premain(@Nullable String arguments, Instrumentation instrumentation)
            throws IOException, URISyntaxException {
        Map<String, byte[]> classes = new HashMap<>();
        try (
                var own = new JarFile(
                        new File(DisniAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI()))) {
            for (String name : REPLACED) {
                try (InputStream in = own.getInputStream(own.getJarEntry(name + ".class"))) {
                    classes.put(name, in.readAllBytes());
                }
            }
        }
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader, @Nullable String name, @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain, byte[] original) {
                return name == null ? null : classes.get(name);
            }
        });
    }
}
