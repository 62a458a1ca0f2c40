// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Records the locks of verbs4j in this process, as a Java agent (`-javaagent:JAR=FILE`), and appends them to a file
/// when the process ends.
public final class LockAgent {
    private LockAgent() {}

    /// Called before `main`.
    ///
    /// @param file the file to append to
    public static void premain(String file, Instrumentation instrumentation) {
        ClassLoader loader = LockAgent.class.getClassLoader();
        LockHooks.recorder(); // before any class calls it
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            @SuppressWarnings("ReferenceEquality") // a loader is only itself
            public byte @Nullable [] transform(
                    @Nullable ClassLoader from,
                    @Nullable String type,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] bytes) {
                if (from != loader || type == null || !isRecorded(type)) {
                    return null;
                }
                try {
                    return LockWeaver.weave(bytes);
                } catch (RuntimeException | Error e) {
                    LockHooks.recorder().failed(type + ": " + e);
                    return null;
                }
            }
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> write(Path.of(file))));
    }

    private static boolean isRecorded(String type) {
        return type.startsWith("io/verbs4j/")
                && !type.equals("io/verbs4j/abi/FaultyHost") // a test's
                && !type.startsWith("io/verbs4j/tests/")
                && !type.startsWith("io/verbs4j/bench/")
                && !type.startsWith("io/verbs4j/tools/");
    }

    private static void write(Path file) {
        LockRecorder recorder = LockHooks.recorder();
        List<String> lines = new ArrayList<>();
        recorder.failures().forEach(failure -> lines.add("failed\t" + failure));
        recorder.taken().forEach(lock -> lines.add("taken\t" + lock));
        recorder.edges()
                .forEach((edge, place) -> lines.add("edge\t" + edge.held() + "\t" + edge.wanted() + "\t" + place));
        lines.sort(null);
        byte[] bytes = String.join("\n", lines).concat("\n").getBytes(StandardCharsets.UTF_8);
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                channel.write(ByteBuffer.wrap(bytes)); // one call, so that lines of two processes do not mix
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
