// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.CommandEncoding;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.InvokeWrite;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The catalogue has every command, and each number of the kernel's headers belongs to one of them.
class CommandCatalogueTest {
    private static List<Class<?>> classes() throws IOException, URISyntaxException {
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

    @Test
    void everyClassThatHasASpecificationIsInTheCatalogueAndNothingElseIs()
            throws IOException, URISyntaxException, IllegalAccessException {
        var found = new ArrayList<CommandSpecification>();
        for (Class<?> type : classes()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals("SPECIFICATION")) {
                    found.add((CommandSpecification) field.get(null));
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(45);
        assertThat(CommandCatalogue.all()).containsExactlyInAnyOrderElementsOf(found);
    }

    @ParameterizedTest
    @EnumSource
    void everyWriteCommandBelongsToACommandAndItsStructsAreCalledAfterIt(IbUserVerbsCmd command) {
        CommandEncoding.Write write = CommandCatalogue.write(command);
        String name = "ib_uverbs_" + command.name().toLowerCase(Locale.ROOT);
        assertThat(write.request().name()).isEqualTo(name);
        assertThat(write.response().map(struct -> struct.name()).orElse(name + "_resp")).isEqualTo(name + "_resp");
        assertThat(CommandCatalogue.of(command).encodings()).contains(write);
    }

    @Test
    void everyMethodThatAClassDeclaresIsInTheCatalogue()
            throws IOException, URISyntaxException, IllegalAccessException {
        var declared = new ArrayList<UverbsMethod>();
        for (Class<?> type : classes()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getType() == UverbsMethod.class && Modifier.isStatic(field.getModifiers())) {
                    declared.add((UverbsMethod) field.get(null));
                }
            }
        }
        assertThat(CommandCatalogue.methods()).containsExactlyInAnyOrderElementsOf(declared);
    }

    @Test
    void theEnvelopeOfWriteCommandsBelongsToNone() {
        assertThat(CommandCatalogue.of(InvokeWrite.METHOD)).isEmpty();
    }

    @Test
    void onlyTheOlderFormsOfTheConnectionManagersCommandsAreNeverSent() {
        var absent = new ArrayList<RdmaUcmCmd>();
        for (RdmaUcmCmd command : RdmaUcmCmd.values()) {
            if (CommandCatalogue.of(command).isEmpty()) {
                absent.add(command);
            }
        }
        assertThat(absent)
                .containsExactlyInAnyOrderElementsOf(List.of(
                        RdmaUcmCmd.BIND_IP,
                        RdmaUcmCmd.RESOLVE_IP,
                        RdmaUcmCmd.QUERY_ROUTE,
                        RdmaUcmCmd.JOIN_IP_MCAST,
                        RdmaUcmCmd.RESOLVE_IB_SERVICE));
    }
}
