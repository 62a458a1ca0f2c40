// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.cm.UnsentCommands;
import io.verbs4j.abi.command.CommandEncoding;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The catalogue contains every command, and each number of the kernel's headers belongs to one of them.
class CommandCatalogueTest {
    static List<Class<?>> classes() throws IOException, URISyntaxException {
        Path classes = Path.of(CommandSpecification.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var found = new ArrayList<Class<?>>();
        try (var files = Files.walk(classes.resolve("io/verbs4j/abi"))) {
            for (Path file : files.filter(one -> one.toString().endsWith(".class")).toList()) {
                String name = classes.relativize(file).toString().replace('/', '.').replace(".class", "");
                if (!name.contains("$") && !name.endsWith("-info")) {
                    found.add(Class.forName(name, false, CommandSpecification.class.getClassLoader()));
                }
            }
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
        return found;
    }

    static List<IbUserVerbsCmd> writes() {
        return CommandCatalogue.writes();
    }

    /// Returns the constants of a type that the classes declare.
    private static <T> List<T> declared(Class<T> kind) throws IOException, URISyntaxException, IllegalAccessException {
        var found = new ArrayList<T>();
        for (Class<?> type : classes()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getType() == kind && Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    found.add(kind.cast(field.get(null)));
                }
            }
        }
        return found;
    }

    @Test
    void everyClassThatHasASpecificationIsInTheCatalogueAndNothingElseIs()
            throws IOException, URISyntaxException, IllegalAccessException {
        List<CommandSpecification> found = declared(CommandSpecification.class);
        assertThat(found).hasSizeGreaterThan(45);
        assertThat(CommandCatalogue.all()).containsExactlyInAnyOrderElementsOf(found);
    }

    @ParameterizedTest
    @MethodSource("writes")
    void everyWriteCommandBelongsToACommandAndItsStructsAreCalledAfterIt(IbUserVerbsCmd command) {
        String name = "ib_uverbs_" + command.name().toLowerCase(Locale.ROOT);
        assertThat(command.request().name()).isEqualTo(name);
        assertThat(command.response().map(struct -> struct.name()).orElse(name + "_resp")).isEqualTo(name + "_resp");
        assertThat(CommandCatalogue.of(command).encodings())
                .anyMatch(encoding -> encoding instanceof CommandEncoding.Write write && write.command() == command);
    }

    @Test
    void everyMethodAndEveryNumberThatAClassDeclaresIsInTheCatalogue()
            throws IOException, URISyntaxException, IllegalAccessException {
        assertThat(CommandCatalogue.methods()).containsExactlyInAnyOrderElementsOf(declared(UverbsMethod.class));
        assertThat(CommandCatalogue.writes())
                .containsExactlyInAnyOrderElementsOf(Set.copyOf(declared(IbUserVerbsCmd.class)));
        assertThat(CommandCatalogue.connectionManager())
                .containsExactlyInAnyOrderElementsOf(declared(RdmaUcmCmd.class));
    }

    @Test
    void everyStructThatAClassDescribesIsListed() throws IOException, URISyntaxException, IllegalAccessException {
        assertThat(CStructs.all()).containsExactlyInAnyOrderElementsOf(declared(CStruct.class));
    }

    @Test
    void theEnvelopeOfWriteCommandsBelongsToNone() {
        assertThat(CommandCatalogue.of(InvokeWrite.METHOD)).isEmpty();
    }

    @Test
    void aCommandThatIsNeverSentBelongsToNone() {
        assertThat(UnsentCommands.ALL).allMatch(command -> CommandCatalogue.of(command).isEmpty());
        assertThat(CommandCatalogue.connectionManager())
                .filteredOn(command -> CommandCatalogue.of(command).isEmpty())
                .containsExactlyInAnyOrderElementsOf(UnsentCommands.ALL);
    }
}
