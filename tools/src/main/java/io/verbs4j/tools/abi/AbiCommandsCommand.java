// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.command.CommandEncoding;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.tools.common.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs abi commands`.
@Command(
        name = "commands",
        header = "Show how each verb reaches the kernel: method or write command, structs, and first Linux version.",
        description = {
                "%nA method is called by ioctl. A write command is sent inside an ioctl (INVOKE_WRITE, since Linux"
                        + " 5.0), or by write(). If a verb has both, the method is tried first. Commands of the"
                        + " connection manager are written to /dev/infiniband/rdma_cm.%n"
        })
final class AbiCommandsCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(
            paramLabel = "<verb>",
            arity = "0..1",
            description = "Show only verbs whose names contain this text.") private String name = "";

    @Override
    public Integer call() {
        var table =
                new Table("verb", "transport", "command", "since", "request or arguments", "answer", "driver's part");
        List<DriverAbi> drivers = KnownStructs.drivers();
        var all = new ArrayList<>(CommandCatalogue.all());
        drivers.forEach(driver -> all.addAll(driver.commands()));
        List<CommandSpecification> commands = name.isEmpty() ? all : VerbNames.find(all, name);
        for (CommandSpecification command : commands) {
            String driver = drivers.stream().map(abi -> driverPart(abi, command)).collect(Collectors.joining(" "));
            for (CommandEncoding encoding : command.encodings()) {
                String[] texts = texts(encoding);
                table.row(
                        command.operation(), texts[0], encoding.cName(), encoding.since(), texts[1], texts[2], driver);
            }
        }
        table.print(spec.commandLine().getOut());
        return 0;
    }

    /// Returns transport, request and answer as texts.
    private static String[] texts(CommandEncoding encoding) {
        return switch (encoding) {
            case CommandEncoding.Method method -> new String[]{
                    "ioctl", attributes(method.method(), false), attributes(method.method(), true)
            };
            case CommandEncoding.Write write -> texts("write", write.command().request(), write.command().response());
            case CommandEncoding.ConnectionManager manager ->
                texts("rdma_cm", manager.command().request(), manager.command().response());
        };
    }

    private static String[] texts(String transport, CStruct request, Optional<CStruct> response) {
        return new String[]{transport, request.name(), response.map(CStruct::name).orElse("-")};
    }

    private static String driverPart(DriverAbi driver, CommandSpecification verb) {
        String request = driver.request(verb).map(CStruct::name).orElse("");
        return (request + " " + driver.response(verb).map(CStruct::name).orElse("")).strip();
    }

    /// Returns the input or output arguments by the ends of their names.
    private static String attributes(UverbsMethod method, boolean answer) {
        String text = method.attributes()
                .stream()
                .filter(attribute -> attribute.kind().isAnswer() == answer)
                .map(attribute -> attribute.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
        return text.isEmpty() ? "-" : text;
    }
}
