// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.btf.Btf;
import io.verbs4j.abi.btf.BtfStruct;
import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs abi diff`.
@Command(
        name = "diff",
        header = "Compare the structs of two kernels, by their type information.",
        description = {
                "%nEach file is the type information of a module, such as rdma_rxe or ib_uverbs, in a copy of"
                        + " /sys/kernel/btf. The kernel's own, vmlinux, must be in the same folder. Only structs"
                        + " that verbs4j uses are compared. The exit code is 1 if anything differs.%n"
        })
final class AbiDiffCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "<file1>",
            description = "Type information of a module of one kernel.") private Path first = Path.of("");

    @Parameters(index = "1", paramLabel = "<file2>", description = "Type information of that module of the other"
            + " kernel.") private Path second =
                    Path.of("");

    @Override
    public Integer call() {
        Path folder = folder(first);
        Btf kernel = read(folder, Btf::ofKernel);
        Btf one = read(first, kernel::with);
        Btf other = read(second, (folder.equals(folder(second)) ? kernel : read(folder(second), Btf::ofKernel))::with);
        PrintWriter out = spec.commandLine().getOut();
        var differences = new ArrayList<String>();
        int compared = 0;
        for (CStruct struct : structs()) {
            Optional<BtfStruct> left = one.struct(struct.name());
            Optional<BtfStruct> right = other.struct(struct.name());
            if (left.isPresent() && right.isPresent()) {
                compared++;
                differences.addAll(differences(left.get(), right.get()));
            } else if (left.isPresent() != right.isPresent()) {
                differences.add(struct.name() + " is only in " + (left.isPresent() ? first : second));
            }
        }
        differences.forEach(out::println);
        out.println(compared + " structs compared, " + differences.size() + " differences");
        out.flush();
        return differences.isEmpty() ? 0 : 1;
    }

    private static List<CStruct> structs() {
        var structs = new ArrayList<CStruct>(CStructs.all());
        for (DriverAbi driver : KnownStructs.drivers()) {
            structs.addAll(driver.structs());
        }
        return structs.stream().filter(struct -> struct.header().contains("/rdma/")).toList();
    }

    @FunctionalInterface
    private interface Reader {
        Btf read(Path file) throws IOException;
    }

    private static Path folder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.exists(file)) {
            throw new ToolException("no such file: " + file);
        }
        return folder;
    }

    private static Btf read(Path file, Reader reader) {
        try {
            return reader.read(file);
        } catch (IOException e) {
            throw new ToolException("cannot read " + file + ": " + IoFailure.reason(e));
        } catch (IllegalArgumentException e) {
            throw new ToolException("cannot read " + file + ": " + e.getMessage());
        }
    }

    /// Returns the fields at different offsets, or in one struct only.
    static List<String> differences(BtfStruct one, BtfStruct other) {
        var differences = new ArrayList<String>();
        if (one.size() != other.size()) {
            differences.add(one.name() + ": " + one.size() + " bytes, and " + other.size());
        }
        Map<String, BtfStruct.Field> theirs = byPath(other);
        for (BtfStruct.Field field : one.fields()) {
            BtfStruct.Field match = theirs.remove(field.path());
            if (match == null) {
                differences.add(one.name() + "." + field.path() + ": only in the first (" + place(field) + ")");
            } else if (!match.equals(field)) {
                differences.add(one.name() + "." + field.path() + ": " + place(field) + ", and " + place(match));
            }
        }
        theirs.values()
                .forEach(field -> differences.add(
                        one.name() + "." + field.path() + ": only in the second (" + place(field) + ")"));
        return differences;
    }

    private static Map<String, BtfStruct.Field> byPath(BtfStruct struct) {
        var fields = new LinkedHashMap<String, BtfStruct.Field>();
        struct.fields().forEach(field -> fields.put(field.path(), field));
        return fields;
    }

    private static String place(BtfStruct.Field field) {
        return "at " + field.offset() + ", " + field.size() + " bytes";
    }
}
