// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.command.Verb;
import io.verbs4j.tools.ToolException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Finds verbs by what a person types: `create-queue-pair`, `create queue pair`, or a part of it.
final class VerbNames {
    private VerbNames() {}

    /// The verbs that fit; the exact one alone, if there is one.
    ///
    /// @throws ToolException if none fits
    static List<Verb> find(String words) {
        String wanted = words.replaceAll("[-_ ]+", " ").strip().toLowerCase(Locale.ROOT);
        List<Verb> exact = filter(wanted, true);
        List<Verb> found = exact.isEmpty() ? filter(wanted, false) : exact;
        if (found.isEmpty()) {
            throw new ToolException(
                    "there is no verb and no error '" + words + "'",
                    "there are " + String.join(", ", Arrays.stream(Verb.values()).map(VerbNames::name).toList()));
        }
        return found;
    }

    private static List<Verb> filter(String wanted, boolean exactly) {
        return Arrays.stream(Verb.values())
                .filter(verb -> {
                    String name = verb.operation().toLowerCase(Locale.ROOT);
                    return exactly ? name.equals(wanted) : name.contains(wanted);
                })
                .toList();
    }

    /// As one word.
    static String name(Verb verb) {
        return verb.operation().replace(' ', '-');
    }
}
