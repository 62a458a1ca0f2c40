// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.tools.common.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `verbs abi list`.
@Command(name = "list", header = "List the structs: name, size, writer, and the kernel's header.")
final class AbiListCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        var table = new Table("struct", "bytes", "written by", "header");
        for (CStruct struct : KnownStructs.all()) {
            table.row(struct.name(), struct.size(), KnownStructs.writer(struct), struct.header());
        }
        table.print(spec.commandLine().getOut());
        return 0;
    }
}
