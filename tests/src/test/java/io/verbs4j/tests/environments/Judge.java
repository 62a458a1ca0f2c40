// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import io.verbs4j.tests.environments.ToolCommands.ToolCommand;
import io.verbs4j.tests.support.JsonValues;
import io.verbs4j.types.Errno;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Judges what commands did by what is true in their environment.
final class Judge {
    private static final Pattern WORD = Pattern.compile("\\bE[A-Z0-9]{2,14}\\b");
    private static final Set<String> ERRNOS = errnos();
    /// After one of these words, the rest of a line names only possible causes. One of them must be true.
    private static final Pattern POSSIBLE = Pattern.compile("possibl|likely cause|perhaps");
    /// As in `ENODEV (19, No such device)`.
    private static final Pattern ERRNO_IN_WORDS = Pattern.compile("\\(\\d+, [^)]*\\)");
    private static final Pattern STACK = Pattern.compile("Exception|Error:|\\tat |thrown: ");
    private static final Set<Integer> DOCTOR_FINDS = Set.of(3, 4);

    private Judge() {}

    private static Set<String> errnos() {
        var names = new HashSet<String>();
        for (int errno = 1; errno < 140; errno++) {
            names.add(Errno.name(errno));
        }
        return Set.copyOf(names);
    }

    /// Returns what is wrong.
    ///
    /// @param facts all that is true in the environment
    static List<String> faults(ToolCommand command, Finished finished, Outcome outcome, Set<Fact> facts) {
        var faults = new ArrayList<String>();
        Kind kind = command.kind();
        String error = command.isTrace() ? ownLines(finished.error()) : finished.error();
        boolean doctor = kind == Kind.DOCTOR;
        boolean failed = switch (kind) {
            case DOCTOR -> DOCTOR_FINDS.contains(finished.code());
            case LIST -> finished.code() <= 1 && !error.isEmpty();
            default -> finished.code() == 1;
        };
        if (finished.code() != 0 && !failed) {
            faults.add("exit code " + finished.code());
        }
        if (finished.code() == 0 && !failed && !outcome.maySucceed()) {
            faults.add("it succeeds");
        }
        if (failed && !outcome.mayFail() && !(doctor && finished.code() == 3)) {
            faults.add("it fails");
        }
        if (STACK.matcher(finished.error()).find()) {
            faults.add("the error shows Java");
        }
        if (command.isJson() && JsonValues.count(finished.output()) < 0) {
            faults.add("the output is no JSON");
        }
        List<String> lines = error.lines().filter(line -> !line.startsWith("try: ")).toList();
        if (failed && !doctor && !command.isTwo() && lines.size() != 1
                && !(lines.size() == 2 && lines.getLast().startsWith("  likely cause: "))) {
            faults.add(lines.size() + " lines of error");
        }
        // The other form of the same findings has all that is well, too.
        boolean judged = !doctor || !command.isJson();
        if (failed && judged && (outcome.mayFail() || doctor)) {
            judgeCauses(doctor ? finished.output() : command.isTwo() ? error + "\n" + finished.output() : error,
                    outcome, facts, faults);
        }
        return faults;
    }

    /// Leaves out the lines of a trace.
    private static String ownLines(String error) {
        return error.lines().filter(line -> line.startsWith("verbs ")).collect(Collectors.joining("\n"));
    }

    private static void judgeCauses(String text, Outcome outcome, Set<Fact> facts, List<String> faults) {
        WORD.matcher(text)
                .results()
                .map(MatchResult::group)
                .filter(ERRNOS::contains)
                .distinct()
                .filter(errno -> !outcome.errnos().contains(errno))
                .forEach(errno -> faults.add(errno + " cannot be"));
        Set<Fact> named = EnumSet.noneOf(Fact.class);
        for (String line : ERRNO_IN_WORDS.matcher(text).replaceAll("").split("\n")) {
            Matcher hedge = POSSIBLE.matcher(line);
            int certain = hedge.find() ? hedge.start() : line.length();
            for (String clause : line.substring(0, certain).split(";")) {
                Set<Fact> claimed = claims(clause);
                boolean alternatives = clause.contains(" or ") && claimed.stream().anyMatch(facts::contains);
                claimed.stream()
                        .filter(fact -> !alternatives && !facts.contains(fact))
                        .forEach(fact -> faults.add("not true: " + fact));
                named.addAll(claimed);
            }
            named.addAll(claims(line.substring(certain)));
        }
        if (!outcome.causes().isEmpty() && outcome.causes().stream().noneMatch(named::contains)) {
            faults.add("does not name " + outcome.causes());
        }
    }

    private static Set<Fact> claims(String clause) {
        Set<Fact> claimed = EnumSet.noneOf(Fact.class);
        for (Fact fact : Fact.values()) {
            if (fact.isClaimedBy(clause)) {
                claimed.add(fact);
            }
        }
        return claimed;
    }
}
