// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A driver's additions to the ABI, described by its provider, for explanations and checks.
///
/// If a member of a response has the fields `offset` and `size`, the member describes memory that the program can map.
/// The meaning of the member ([CStruct.Member#meaning()]) describes the contents of this memory.
///
/// @param module the kernel module with the structs' type information, such as `rdma_rxe`
/// @param structs all structs that the driver shares with user space
/// @param requests its additions to the core's requests, by verb
/// @param responses its additions to the core's responses, by verb
/// @param commands the commands that only this driver has: methods that it adds to objects of the core
/// @param pointers structs to whose addresses these requests and responses refer, by the C names of the fields that
///     contain the addresses
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

    /// Returns the driver's part of a verb's request.
    public Optional<CStruct> request(CommandSpecification verb) {
        return Optional.ofNullable(requests.get(verb));
    }

    /// Returns the driver's part of a verb's response.
    public Optional<CStruct> response(CommandSpecification verb) {
        return Optional.ofNullable(responses.get(verb));
    }

    /// Returns the driver's own method with two numbers; empty if it has none.
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

    /// Returns the driver's own command of a method; empty if it has none.
    public Optional<CommandSpecification> command(UverbsMethod method) {
        return commands.stream()
                .filter(command -> command.encodings()
                        .stream()
                        .anyMatch(encoding -> encoding instanceof CommandEncoding.Method own && own.method() == method))
                .findFirst();
    }
}
