// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.abi.uapi.CStruct;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares every layout with gcc's result for the kernel's header and for libmlx5's public one.
class StructLayoutsTest {
    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    private Path folder;

    @Test
    void layoutsAreThoseOfTheCompiler() throws IOException, InterruptedException {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/gcc")) && Files.exists(Path.of("/usr/include/infiniband/mlx5dv.h")),
                "needs gcc and libibverbs-dev");
        List<CStruct> structs =
                Stream.concat(Mlx5Structs.commands().stream(), Mlx5Structs.segments().stream()).toList();
        var source = new StringBuilder("#include <stddef.h>\n#include <stdio.h>\n#include <rdma/mlx5-abi.h>\n"
                + "#include <infiniband/mlx5dv.h>\nint main(void) {\n");
        var ours = new ArrayList<String>();
        for (CStruct struct : structs) {
            String type = "struct " + struct.name();
            source.append("printf(\"%s %zu\\n\", \"")
                    .append(struct.name())
                    .append("\", sizeof(")
                    .append(type)
                    .append(
                            "));\n");
            ours.add(struct.name() + " " + struct.size());
            for (CStruct.Field field : struct.fields()) {
                source.append("printf(\"%s %zu\\n\", \"")
                        .append(field.path())
                        .append("\", offsetof(")
                        .append(type)
                        .append(", ")
                        .append(field.path())
                        .append("));\n");
                ours.add(field.path() + " " + field.offset());
            }
        }
        Files.writeString(folder.resolve("layouts.c"), source.append("}\n"));
        Path program = folder.resolve("layouts");
        run(List.of("gcc", "-o", program.toString(), folder.resolve("layouts.c").toString()));
        assertThat(run(List.of(program.toString()))).isEqualTo(ours);
        assertThat(ours).hasSizeGreaterThan(100);
    }

    private List<String> run(List<String> command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        int result = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        assertThat(result).as(() -> command + " in " + folder).isZero();
        return Files.readAllLines(output);
    }
}
