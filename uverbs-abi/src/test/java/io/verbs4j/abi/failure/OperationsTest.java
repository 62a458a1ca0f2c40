// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import io.verbs4j.abi.Recording;
import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Compares the descriptions of all operations with `operations.txt`: encodings, effects, and the meanings of error
/// numbers ([Recording]).
class OperationsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/abi/failure/operations.txt");

    private static void add(List<String> lines, String title, Map<Integer, String> causes) {
        lines.add(title);
        new TreeMap<>(causes).forEach((errno, cause) -> lines.add("    " + Errno.name(errno) + ": " + cause));
    }

    private static String limits(Operation operation) {
        List<String> limits = IntStream.range(0, Errno.ENOTSUPP)
                .filter(operation::isLimit)
                .mapToObj(Errno::name)
                .toList();
        return limits.isEmpty() ? "" : ", limits " + limits;
    }

    @Test
    void areThoseRecorded() throws IOException {
        var lines = new ArrayList<String>();
        add(lines, "all verbs", GeneralCauses.OF_VERBS);
        add(lines, "all commands of the connection manager", GeneralCauses.OF_CONNECTION_MANAGER);
        for (CommandSpecification command : CommandCatalogue.all()
                .stream()
                .sorted(Comparator.comparing(CommandSpecification::operation))
                .toList()) {
            add(
                    lines,
                    command + ": " + command.effect() + " " + command.object().map(Enum::name).orElse("nothing")
                            + limits(command),
                    command.causes());
            command.encodings().forEach(encoding -> lines.add("    " + encoding.cName() + " " + encoding.since()));
        }
        for (SystemOperation operation : SystemOperation.values()) {
            add(lines, operation.operation() + limits(operation), operation.causes());
        }
        Recording.compare(FILE, lines);
    }
}
