// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Recording;
import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.uapi.CStruct;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Compares the texts of each field of each struct, for some values, with `fields.txt`. That file contains only texts
/// other than the decimal number ([Recording]).
class FieldTextTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/tracing/fields.txt");
    private static final long[] VALUES = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 22, 0x30, 0x55, 0x106, 0xffff_ffffL, -1};
    /// The fields with names, of the struct in provider-rxe.
    private static final CStruct RXE_SEND = CStruct.of(
            "rdma_user_rxe.h", "rxe_send_wqe", CStruct.struct("wr", CStruct.u32("opcode"), CStruct.u32("send_flags")),
            CStruct.u32("status"), CStruct.u32("state"));

    private static List<String> texts() {
        var text = new FieldText(new ObjectNames("rxe0"));
        var lines = new ArrayList<String>();
        for (CStruct struct : Stream.concat(CStructs.all().stream(), Stream.of(RXE_SEND))
                .sorted(Comparator.comparing(CStruct::name))
                .toList()) {
            for (CStruct.Field field : struct.fields()) {
                if (field.isNumber()) {
                    add(struct, field, text, lines);
                }
            }
        }
        return lines;
    }

    private static void add(CStruct struct, CStruct.Field field, FieldText text, List<String> lines) {
        var line = new StringBuilder();
        for (long value : VALUES) {
            String shown = text.number(struct, field.path(), value, field.width());
            if (!shown.equals(Long.toString(value))) {
                line.append(" ").append(Long.toHexString(value)).append(": ").append(shown).append(";");
            }
        }
        if (line.indexOf(";") < line.length() - 1) {
            lines.add(struct.name() + "." + field.path() + line);
        }
    }

    /// The kernel's error numbers end at 4095 (`MAX_ERRNO`, include/linux/err.h).
    @Test
    void negativeStatusesAreErrorNumbers() {
        var text = new FieldText(new ObjectNames("rxe0"));
        assertThat(text.number(GetEvent.RESPONSE, "status", -22, Integer.BYTES)).isEqualTo("-22 (EINVAL)");
        assertThat(text.number(GetEvent.RESPONSE, "status", -4095, Integer.BYTES)).startsWith("-4095 (");
        assertThat(text.number(GetEvent.RESPONSE, "status", -4096, Integer.BYTES)).doesNotContain("(");
    }

    @Test
    void namesWhatIsRecorded() throws IOException {
        List<String> texts = texts();
        assertThat(texts).hasSizeGreaterThan(100);
        Recording.compare(FILE, texts);
    }
}
