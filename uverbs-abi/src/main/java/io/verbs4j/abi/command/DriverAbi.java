// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A driver's additions to the ABI, described by its provider, for explanations and checks.
///
/// A struct member of an answer with the fields `offset` and `size` describes mappable memory; its meaning is the
/// memory's contents.
///
/// @param module the kernel module with the structs' type information, such as `rdma_rxe`
/// @param structs all structs that the driver shares with user space
/// @param requests its additions to the core's requests, by verb
/// @param responses its additions to the core's answers, by verb
/// @param commands the commands that only this driver has: methods that it adds to objects of the core
/// @param pointers structs behind addresses in the above, by the C names of the fields that hold the addresses
public record DriverAbi(
        String module,
        List<CStruct> structs,
        Map<CommandSpecification, CStruct> requests,
        Map<CommandSpecification, CStruct> responses,
        List<CommandSpecification> commands,
        Map<String, CStruct> pointers) {
    /// A driver without known additions.
    public static final DriverAbi NONE = new DriverAbi("", List.of(), Map.of(), Map.of(), List.of(), Map.of());

    /// Copies the collections.
    public DriverAbi {
        structs = List.copyOf(structs);
        requests = Map.copyOf(requests);
        responses = Map.copyOf(responses);
        commands = List.copyOf(commands);
        pointers = Map.copyOf(pointers);
    }

    /// The driver's part of a verb's request.
    public Optional<CStruct> request(CommandSpecification verb) {
        return Optional.ofNullable(requests.get(verb));
    }

    /// The driver's part of a verb's answer.
    public Optional<CStruct> response(CommandSpecification verb) {
        return Optional.ofNullable(responses.get(verb));
    }

    /// The driver's own method of two numbers; empty if it has none such.
    public Optional<UverbsMethod> method(int objectId, int methodId) {
        for (CommandSpecification command : commands) {
            for (CommandEncoding encoding : command.encodings()) {
                if (encoding instanceof CommandEncoding.Method own && own.method().is(objectId, methodId)) {
                    return Optional.of(own.method());
                }
            }
        }
        return Optional.empty();
    }

    /// The driver's own command of a method; empty if it has none such.
    public Optional<CommandSpecification> command(UverbsMethod method) {
        return commands.stream()
                .filter(command -> command.encodings()
                        .stream()
                        .anyMatch(encoding -> encoding instanceof CommandEncoding.Method own && own.method() == method))
                .findFirst();
    }
}
