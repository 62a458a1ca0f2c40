// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.command.CommandEncoding;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.types.Errno;
import io.verbs4j.types.ResourceLimitException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each error number that a command can return, according to the sources of Linux 6.1, 6.12 and 7.2, has a cause.
/// `tools/kernel-errors/list.py` has generated the list.
class KernelErrorListTest {
    private static final Map<String, List<String>> LIST = read();

    private static Map<String, List<String>> read() {
        try (
                InputStream list =
                        Objects.requireNonNull(KernelErrorListTest.class.getResourceAsStream("kernel-errors.txt"))) {
            return new String(list.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(line -> List.of(line.split(" ")))
                    .collect(Collectors.toMap(List::getFirst, words -> words.subList(1, words.size())));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int number(String name) {
        return IntStream.rangeClosed(1, Errno.ENOTSUPP)
                .filter(errno -> Errno.name(errno).equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("Errno lacks " + name));
    }

    private static Stream<String> without(CommandSpecification command, CommandEncoding encoding) {
        return LIST.getOrDefault(encoding.cName(), List.of())
                .stream()
                .filter(name -> command.documentedCause(number(name)).isEmpty())
                .map(name -> command + " (" + encoding.cName() + "): " + name);
    }

    @Test
    void everyErrorOfACommandHasACause() {
        assertThat(CommandCatalogue.all()
                .stream()
                .flatMap(command -> command.encodings().stream().flatMap(encoding -> without(command, encoding))))
                .isEmpty();
    }

    @Test
    void everyCommandIsListed() {
        assertThat(CommandCatalogue.all()
                .stream()
                .flatMap(command -> command.encodings().stream())
                .map(CommandEncoding::cName)
                .filter(name -> !LIST.containsKey(name)))
                .isEmpty();
    }

    /// The error of a container's limit of RDMA objects is classified as a limit, and the message contains its
    /// location.
    @Test
    void theLimitOfAControlGroupIsNamed() {
        for (CommandSpecification command : CommandCatalogue.all()) {
            if (command.effect() == CommandSpecification.Effect.MAKES
                    && command.generalCauses() == GeneralCauses.OF_VERBS) {
                assertThat(command.failure(Errno.EAGAIN))
                        .isInstanceOf(ResourceLimitException.class)
                        .hasMessageContainingAll(command.operation(), "EAGAIN", "rdma.max", "hca_object");
            }
        }
    }
}
