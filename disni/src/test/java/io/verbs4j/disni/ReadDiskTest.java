// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compiles the example that reads a remote disk. A device test runs it.
class ReadDiskTest {
    private static final Path PEERS = Path.of(System.getProperty("verbs4j.peers", "target/peers"));

    @Test
    void compiles(@TempDir Path classes) {
        String path = PEERS.resolve("jnvmf-1.6.jar") + File.pathSeparator + PEERS.resolve("disni-2.1.jar");
        var errors = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, errors, "-d", classes.toString(), "-cp", path,
                        PEERS.resolve("../../../examples/ReadDisk.java").toString());
        assertThat(code).as(() -> errors.toString(StandardCharsets.UTF_8)).isZero();
    }
}
