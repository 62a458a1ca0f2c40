// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.tools.common.Table;
import io.verbs4j.tracing.JsonText;
import java.io.PrintWriter;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs abi show`.
@Command(name = "show", header = "Show a struct: offset, size, type, C name and meaning of each field.")
final class AbiShowCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "<struct>",
            description = "The struct's C name, such as ib_uverbs_modify_qp.") private String name = "";

    @Option(names = "--json", description = "Print one JSON object.") private boolean json;

    /// A field, or a hole.
    private record Row(long offset, long size, String type, String name, String meaning) {}

    @Override
    public Integer call() {
        CStruct struct = KnownStructs.named(name);
        var rows = new ArrayList<Row>();
        collect("", 0, struct.members(), true, rows);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(json(struct, rows));
            out.flush();
            return 0;
        }
        out.println("struct " + struct.name() + ", " + struct.size() + " bytes, written by "
                + switch (KnownStructs.writer(struct)) {
                    case "user" -> "user space";
                    case "kernel" -> "the kernel";
                    default -> "both sides";
                });
        out.println(struct.header());
        out.println();
        var table = new Table("offset", "size", "type", "field", "meaning");
        for (Row row : rows) {
            table.row(row.offset(), row.size(), row.type(), row.name(), row.meaning());
        }
        table.print(out);
        return 0;
    }

    private static void collect(
            String prefix, long start, List<CStruct.Member> members, boolean inSequence, List<Row> rows) {
        long offset = start;
        for (CStruct.Member member : members) {
            MemoryLayout layout = member.layout();
            boolean named = !member.name().isEmpty();
            String path = prefix + member.name();
            String label = layout instanceof PaddingLayout
                    ? prefix + "(hole)"
                    : named ? path : prefix + "(unnamed)";
            rows.add(new Row(offset, layout.byteSize(), type(layout), label, meaning(member)));
            if (!member.members().isEmpty()) {
                boolean sequence = layout instanceof StructLayout;
                collect(named ? path + "." : prefix, offset, member.members(), sequence, rows);
            }
            if (inSequence) {
                offset += layout.byteSize();
            }
        }
    }

    private static String meaning(CStruct.Member member) {
        if (!member.meaning().isEmpty()) {
            return member.meaning();
        }
        boolean unused = member.layout() instanceof PaddingLayout || member.name().startsWith("reserved")
                || member.name().startsWith("pad");
        return unused ? "padding" : "";
    }

    static String type(MemoryLayout layout) {
        return switch (layout) {
            case ValueLayout number -> {
                boolean network = number.order() == ByteOrder.BIG_ENDIAN && number.byteSize() > 1;
                yield (network ? "__be" : "__u") + number.byteSize() * Byte.SIZE;
            }
            case SequenceLayout array -> type(array.elementLayout()) + "[" + array.elementCount() + "]";
            case StructLayout none -> "struct";
            case GroupLayout none -> "union";
            case PaddingLayout none -> "";
        };
    }

    private static String json(CStruct struct, List<Row> rows) {
        var text = new JsonText();
        text.open('{');
        text.member("name", struct.name());
        text.member("size", struct.size());
        text.member("header", struct.header());
        text.member("writtenBy", KnownStructs.writer(struct));
        text.name("fields");
        text.open('[');
        for (Row row : rows) {
            text.open('{');
            text.member("name", row.name());
            text.member("offset", row.offset());
            text.member("size", row.size());
            text.member("type", row.type());
            text.member("meaning", row.meaning());
            text.close('}');
        }
        text.close(']');
        text.close('}');
        return text.toString();
    }
}
