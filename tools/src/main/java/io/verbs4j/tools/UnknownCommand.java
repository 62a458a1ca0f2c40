// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine;

/// Reports an unknown command, with suggestions of similar ones or the list of all.
final class UnknownCommand {
    private UnknownCommand() {}

    static String explain(String word, CommandLine command) {
        List<String> names = command.getSubcommands()
                .values()
                .stream()
                .filter(known -> !known.getCommandSpec().usageMessage().hidden())
                .map(CommandLine::getCommandName)
                .distinct()
                .toList();
        List<String> near = names.stream().filter(name -> isNear(word.toLowerCase(Locale.ROOT), name)).toList();
        return "unknown command '" + word + "'; " + (near.isEmpty()
                ? "there are " + String.join(", ", names)
                : "did you mean " + String.join(" or ", near) + "?");
    }

    /// Returns whether a name contains the word, has the same beginning, or differs in at most a third of its letters.
    private static boolean isNear(String word, String name) {
        return (word.length() > 2 && (name.contains(word) || word.contains(name)))
                || distance(word, name) <= Math.max(1, name.length() / 3);
    }

    /// Returns the Levenshtein distance, where two swapped letters count once.
    static int distance(String a, String b) {
        int[][] costs = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    costs[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                costs[i][j] = Math.min(costs[i - 1][j - 1] + change, 1 + Math.min(costs[i - 1][j], costs[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    costs[i][j] = Math.min(costs[i][j], costs[i - 2][j - 2] + 1);
                }
            }
        }
        return costs[a.length()][b.length()];
    }
}
