// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.BtfBuilder;
import io.verbs4j.abi.BtfBuilder.Member;
import io.verbs4j.tools.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares structs with the type information of two kernels. One has the structs of include/uapi/rdma; the other lacks
/// a struct, and has another layout of a second one.
class AbiOfKernelsTest {
    private static final int STRUCT = 4;

    @TempDir private Path folder;
    private Path one = Path.of("");
    private Path other = Path.of("");

    @BeforeEach
    void writeKernels() throws IOException {
        one = Files.createDirectory(folder.resolve("one"));
        other = Files.createDirectory(folder.resolve("other"));
        BtfBuilder image = BtfBuilder.image();
        int u32 = image.number("__u32", 4);
        int u64 = image.number("__u64", 8);
        for (Path kernel : List.of(one, other)) {
            Files.write(kernel.resolve("vmlinux"), image.build().array());
            BtfBuilder rxe = image.module();
            rxe.struct(STRUCT, "mminfo", 16, false, new Member("offset", u64, 0), new Member("size", u32, 64),
                    new Member("pad", u32, 96));
            Files.write(kernel.resolve("rdma_rxe"), rxe.build().array());
        }
        BtfBuilder core = image.module();
        core.struct(STRUCT, "ib_uverbs_async_event_desc", 16, false, new Member("element", u64, 0),
                new Member("event_type", u32, 64), new Member("reserved", u32, 96));
        core.struct(STRUCT, "ib_uverbs_comp_event_desc", 8, false, new Member("cq_handle", u64, 0));
        Files.write(one.resolve("ib_uverbs"), core.build().array());
        BtfBuilder changed = image.module();
        changed.struct(STRUCT, "ib_uverbs_async_event_desc", 24, false, new Member("element", u64, 0),
                new Member("event_type", u32, 96), new Member("added", u64, 128));
        Files.write(other.resolve("ib_uverbs"), changed.build().array());
    }

    private static List<String> run(int exitCode, Object... arguments) {
        var out = new StringWriter();
        String[] words = List.of(arguments).stream().map(Object::toString).toArray(String[]::new);
        assertThat(Main.commandLine(words).setOut(new PrintWriter(out)).execute(words)).isEqualTo(exitCode);
        return out.toString().lines().toList();
    }

    private static List<String> present(List<String> lines) {
        return lines.stream().filter(line -> !line.endsWith("not in the kernel's type information")).toList();
    }

    @Test
    void equalStructsAreTheSame() {
        List<String> lines = run(0, "abi", "check", "--btf", one);
        assertThat(present(lines)).containsExactlyInAnyOrder(
                "ib_uverbs: ib_uverbs_async_event_desc: same",
                "ib_uverbs: ib_uverbs_comp_event_desc: same",
                "rdma_rxe: mminfo: same");
        assertThat(lines.getLast()).isEqualTo(
                "3 structs compared, 0 different, " + (lines.size() - 4) + " not in the kernel's type information");
    }

    @Test
    void differencesAreListed() {
        String size = "ib_uverbs_async_event_desc has 16 bytes here and 24 in the kernel";
        String place =
                "ib_uverbs_async_event_desc.event_type is at 8 with 4 bytes here, and at 12 with 4 in the kernel";
        List<String> lines = run(1, "abi", "check", "--btf", other);
        assertThat(present(lines)).containsExactlyInAnyOrder(
                "ib_uverbs: ib_uverbs_async_event_desc: DIFFERENT: " + size + "; " + place,
                "rdma_rxe: mminfo: same");
        assertThat(lines.getLast()).startsWith("2 structs compared, 1 different, ");
        String json = String.join("", run(1, "abi", "check", "--json", "--btf", other));
        assertThat(json).startsWith("{\"same\":false,\"structs\":[{")
                .contains("{\"name\":\"ib_uverbs_async_event_desc\",\"module\":\"ib_uverbs\",\"inKernel\":true,"
                        + "\"differences\":[\"" + size + "\",\"" + place + "\"],\"unknownToKernel\":[\"reserved\"]}",
                        "{\"name\":\"mminfo\",\"module\":\"rdma_rxe\",\"inKernel\":true,\"differences\":[],"
                                + "\"unknownToKernel\":[]}",
                        "\"inKernel\":false")
                .endsWith("]}");
    }

    @Test
    void kernelsAreComparedWithEachOther() {
        String name = "ib_uverbs_async_event_desc";
        Path left = one.resolve("ib_uverbs");
        Path right = other.resolve("ib_uverbs");
        assertThat(run(1, "abi", "diff", left, right)).containsExactlyInAnyOrder(
                name + ": 16 bytes, and 24",
                name + ".event_type: at 8, 4 bytes, and at 12, 4 bytes",
                name + ".reserved: only in the first (at 12, 4 bytes)",
                name + ".added: only in the second (at 16, 8 bytes)",
                "ib_uverbs_comp_event_desc is only in " + left,
                "1 structs compared, 5 differences");
        assertThat(run(1, "abi", "diff", right, left)).contains("ib_uverbs_comp_event_desc is only in " + left);
        assertThat(run(0, "abi", "diff", left, left)).containsExactly("2 structs compared, 0 differences");
    }
}
