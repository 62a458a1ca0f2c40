// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.failure.Operation;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.tools.common.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Finds operations by the user's input: `create-queue-pair`, `create queue pair`, or a part of it.
final class VerbNames {
    private VerbNames() {}

    /// Returns all operations that errors can name: opening the device, the commands, and related steps.
    static List<Operation> all() {
        var all = new ArrayList<Operation>();
        all.add(SystemOperation.OPEN_DEVICE);
        all.addAll(CommandCatalogue.all());
        KnownStructs.drivers().forEach(driver -> all.addAll(driver.commands()));
        for (SystemOperation operation : SystemOperation.values()) {
            if (operation != SystemOperation.OPEN_DEVICE) {
                all.add(operation);
            }
        }
        return all;
    }

    /// Returns the operations that match; only the exact one, if it exists.
    ///
    /// @param all the operations to choose from
    /// @throws ToolException if none matches
    static <O extends Operation> List<O> find(List<O> all, String words) {
        String wanted = words.replaceAll("[-_ ]+", " ").strip().toLowerCase(Locale.ROOT);
        List<O> exact = all.stream().filter(one -> lower(one).equals(wanted)).toList();
        List<O> found = exact.isEmpty()
                ? all.stream().filter(one -> lower(one).contains(wanted)).toList()
                : exact;
        if (found.isEmpty()) {
            throw new ToolException(
                    "no verb or error matches '" + words + "'",
                    "there are " + String.join(", ", all.stream().map(VerbNames::name).toList()));
        }
        return found;
    }

    private static String lower(Operation operation) {
        return operation.operation().toLowerCase(Locale.ROOT);
    }

    /// Returns the name as one word.
    private static String name(Operation operation) {
        return operation.operation().replace(' ', '-');
    }
}
