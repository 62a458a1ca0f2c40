// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.command.CommandEncoding;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.abi.failure.Operation;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The tables of docs/errors.md and docs/abi.md are those of the code.
class ReferencePagesTest {
    private static final String COMMAND = "VERBS4J_WRITE_DOCS=1 mvn -pl tests -am test -Dtest=ReferencePagesTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false";
    private static final boolean WRITES = System.getenv("VERBS4J_WRITE_DOCS") != null;
    private static final int NAMED_STATUSES = 24;

    @Test
    void errorsHasEachStatusThatHasACause() throws IOException {
        String none = CompletionStatus.of(-1).likelyCause();
        assertBlock("errors.md", "statuses", "| status | number | likely cause |\n| --- | --- | --- |\n"
                + IntStream.range(1, NAMED_STATUSES)
                        .mapToObj(CompletionStatus::of)
                        .filter(status -> !status.likelyCause().equals(none))
                        .map(status -> row("`" + status + "`", "" + status.value(), status.likelyCause()))
                        .collect(Collectors.joining()));
    }

    @Test
    void errorsHasEachCauseOfAnErrorNumber() throws IOException {
        String head = "| error | number | likely cause |\n| --- | --- | --- |\n";
        assertBlock("errors.md", "verbs", head + causes(GeneralCauses.OF_VERBS));
        assertBlock("errors.md", "connections", head + causes(GeneralCauses.OF_CONNECTION_MANAGER));
        Stream<Operation> operations =
                Stream.concat(CommandCatalogue.all().stream(), Arrays.stream(SystemOperation.values()));
        assertBlock("errors.md", "operations", "| operation | error | likely cause |\n| --- | --- | --- |\n"
                + operations.flatMap(operation -> new TreeMap<>(operation.causes()).entrySet()
                        .stream()
                        .map(cause -> row(operation.operation(), code(cause.getKey()), cause.getValue())))
                        .collect(Collectors.joining()));
    }

    @Test
    void abiHasEachCommand() throws IOException {
        assertBlock(
                "abi.md",
                "commands",
                "| verb | transport | command | since Linux | request or arguments | answer |\n"
                        + "| --- | --- | --- | --- | --- | --- |\n"
                        + CommandCatalogue.all()
                                .stream()
                                .flatMap(command -> command.encodings().stream().map(one -> command(command, one)))
                                .collect(Collectors.joining()));
    }

    private static String command(CommandSpecification command, CommandEncoding encoding) {
        List<String> texts = switch (encoding) {
            case CommandEncoding.Method method ->
                List.of("ioctl", arguments(method.method(), false), arguments(method.method(), true));
            case CommandEncoding.Write write -> List.of(
                    "write", write.command().request().name(),
                    write.command().response().map(CStruct::name).orElse(""));
            case CommandEncoding.ConnectionManager manager -> List.of(
                    "rdma_cm",
                    manager.command().request().name(),
                    manager.command().response().map(CStruct::name).orElse(""));
        };
        return row(command.operation(), texts.get(0), "`" + encoding.cName() + "`", encoding.since(),
                texts.get(1).isEmpty() ? "–" : "`" + texts.get(1) + "`",
                texts.get(2).isEmpty() ? "–" : "`" + texts.get(2) + "`");
    }

    private static String arguments(UverbsMethod method, boolean answer) {
        return method.attributes()
                .stream()
                .filter(attribute -> attribute.kind().isAnswer() == answer)
                .map(attribute -> attribute.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining("`, `"));
    }

    private static String causes(Map<Integer, String> causes) {
        return new TreeMap<>(causes).entrySet()
                .stream()
                .map(cause -> row(code(cause.getKey()), "" + cause.getKey(), cause.getValue()))
                .collect(Collectors.joining());
    }

    private static String code(int errno) {
        return "`" + Errno.name(errno) + "`";
    }

    private static String row(String... cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    /// Compares what stands between `<!-- generated NAME -->` and `<!-- end -->`.
    private static void assertBlock(String page, String name, String table) throws IOException {
        Path file = Repository.file("docs/" + page);
        String text = Files.readString(file);
        String start = "<!-- generated " + name + " -->\n";
        int from = text.indexOf(start) + start.length();
        int to = text.indexOf("<!-- end -->", from);
        assertThat(from).as("start of the block '%s' in %s", name, page).isGreaterThanOrEqualTo(start.length());
        if (WRITES) {
            Files.writeString(file, text.substring(0, from) + table + text.substring(to));
        } else {
            assertThat(text.substring(from, to)).as("block '%s' of %s, written by: %s", name, page, COMMAND)
                    .isEqualTo(table);
        }
    }
}
