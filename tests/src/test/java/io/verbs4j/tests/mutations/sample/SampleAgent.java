// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builds one place's defect into the code of this process, or probes into all places, as an agent of the virtual machine
/// (`-javaagent:JAR=FILE` or `-javaagent:JAR=FILE,NUMBER`, with a file of places).
public final class SampleAgent {
    private SampleAgent() {}

    /// Called before `main`.
    public static void premain(String arguments, Instrumentation instrumentation) throws IOException {
        String[] parts = arguments.split(",");
        List<Place> places =
                Files.readAllLines(Path.of(parts[0])).stream().map(Place::parse).toList();
        Place defect = parts.length == 1 ? null : places.get(Integer.parseInt(parts[1]));
        var byType = new HashMap<String, Map<Integer, Place>>();
        for (int number = 0; number < places.size(); number++) {
            byType.computeIfAbsent(places.get(number).type(), _ -> new HashMap<>()).put(number, places.get(number));
        }
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader from,
                    @Nullable String type,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] bytes) {
                Map<Integer, Place> here = byType.get(type);
                if (here == null || defect != null && !defect.type().equals(type)) {
                    return null;
                }
                try {
                    return defect == null ? Place.probe(bytes, here) : defect.apply(bytes);
                } catch (RuntimeException | Error e) {
                    System.out.println("BROKEN " + type + " " + e);
                    return null;
                }
            }
        });
    }
}
