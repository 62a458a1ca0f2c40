// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.btf.Btf;
import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tracing.JsonText;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs abi check`.
@Command(
        name = "check",
        header = "Compare our structs with the type information of the running kernel.",
        description = {
                "%nReads the kernel's type information (BTF) of ib_uverbs and of the drivers' modules, which must be"
                        + " loaded. The type information lacks structs that the kernel's code never uses; the"
                        + " command lists them. The exit code is 1 if anything differs.%n"
        })
final class AbiCheckCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--btf",
            paramLabel = "<folder>",
            description = "Another kernel's type information: a copy of its /sys/kernel/btf (default: this kernel's).") private Path folder =
                    Path.of("/sys/kernel/btf");

    @Option(names = "--json", description = "Print one JSON object.") private boolean json;

    private @Nullable Btf kernel;

    @Override
    public Integer call() {
        var results = new ArrayList<StructComparison>();
        results.addAll(compare(
                "ib_uverbs", CStructs.all().stream().filter(AbiCheckCommand::isRdma).toList()));
        List<DriverAbi> drivers = KnownStructs.drivers();
        List<DriverAbi> loaded = drivers.stream()
                .filter(driver -> !driver.module().isEmpty() && Files.exists(folder.resolve(driver.module())))
                .toList();
        // A machine rarely has all drivers. Only if it has none, this is reported.
        for (DriverAbi driver : loaded.isEmpty() ? drivers : loaded) {
            results.addAll(compare(driver.module(), driver.structs()));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(json(results));
        } else {
            print(out, results);
        }
        out.flush();
        return results.stream().allMatch(StructComparison::isSame) ? 0 : 1;
    }

    /// Returns whether a struct belongs to a module of RDMA. Those of netlink and poll do not.
    private static boolean isRdma(CStruct struct) {
        return struct.header().contains("/rdma/");
    }

    private List<StructComparison> compare(String module, List<CStruct> structs) {
        if (!Files.exists(folder.resolve(module))) {
            throw new ToolException(
                    folder + " has no type information of " + module,
                    "load the module (modprobe " + module
                            + "), or use a kernel built with BTF for modules");
        }
        try {
            return StructComparison.of(module, kernel().with(folder.resolve(module)), structs);
        } catch (IOException e) {
            throw new ToolException("cannot read the type information in " + folder + ": " + IoFailure.reason(e));
        }
    }

    /// Returns the kernel's base type information, which is shared by its modules. Reads it once.
    private Btf kernel() throws IOException {
        Btf read = kernel;
        if (read == null) {
            read = Btf.ofKernel(folder);
            kernel = read;
        }
        return read;
    }

    private static void print(PrintWriter out, List<StructComparison> results) {
        for (StructComparison result : results) {
            out.println(result);
        }
        long compared = results.stream().filter(StructComparison::isThere).count();
        long different = results.stream().filter(result -> !result.isSame()).count();
        out.println(compared + " structs compared, " + different + " different, " + (results.size() - compared)
                + " not in the kernel's type information");
    }

    private static String json(List<StructComparison> results) {
        var text = new JsonText();
        text.open('{');
        text.member("same", results.stream().allMatch(StructComparison::isSame));
        text.name("structs");
        text.open('[');
        for (StructComparison result : results) {
            text.open('{');
            text.member("name", result.struct());
            text.member("module", result.module());
            text.member("inKernel", result.isThere());
            text.name("differences");
            text.open('[');
            result.differences().forEach(text::element);
            text.close(']');
            text.name("unknownToKernel");
            text.open('[');
            result.unknown().forEach(text::element);
            text.close(']');
            text.close('}');
        }
        text.close(']');
        text.close('}');
        return text.toString();
    }
}
