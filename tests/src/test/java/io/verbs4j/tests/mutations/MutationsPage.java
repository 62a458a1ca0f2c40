// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations;

import io.verbs4j.tests.mutations.sample.Sample;
import java.util.List;

/// The page for readers, `docs/mutations.md`.
final class MutationsPage {
    private MutationsPage() {}

    /// Returns the page.
    static String of(List<Mutation> mutations, List<Sample> samples) {
        var page = new StringBuilder(
                """
                    # Mutations: what the tests must notice

                    Made by `tools/mutations --table` from `tests/mutations.txt`, where each defect stands with its lines, and from
                    `tests/samples`, where the runs with drawn defects leave what they saw. A test of the build sees that all defects
                    of the list still fit the code, and that this page is up to date.

                    ## Drawn by lot
                    `tools/mutations --sample NUMBER SEED` draws places of the compiled code by lot, the same for the same seed, and
                    builds a small defect into each: a condition says the contrary or moves by one, a constant is larger by one, an
                    operator is another, a call or an assignment is missing, a result is null, 0 or the contrary. It finds the tests
                    that reach the place, and runs them with the defect, until one fails twice: without a device, on simulated
                    devices, and those on real devices in user-mode Linux last. Random walks and the course's programs are left out.

                    """);
        samples.forEach(sample -> append(page, sample));
        page.append(
                """
                    ## Chosen by hand
                    Each of these defects is caught by the test beside it, which `tools/mutations` proves: it builds each into the
                    code, one at a time, and runs that test.

                    Why a list and not [PIT](https://pitest.org/quickstart/mutators/): its operators, like those above, change what is
                    alike in all programs, while these are defects of this one: a field written for another, a plain access for an
                    ordered one, a quirk forgotten. And each names its test.

                    | defect | file | caught by |
                    | --- | --- | --- |
                    """);
        for (Mutation mutation : mutations) {
            String on = mutation.kernel().isEmpty() ? "" : " on simulated Linux " + mutation.kernel();
            page.append("| %s | `%s` | `%s`%s |\n".formatted(
                    mutation.name(), mutation.file().getFileName(), mutation.shortTest(), on));
        }
        return page.toString();
    }

    private static void append(StringBuilder page, Sample sample) {
        List<Sample.Drawn> drawn = sample.drawn();
        page.append("### ").append(sample.head()).append("\n");
        page.append("| | when drawn | now |\n| --- | --- | --- |\n");
        for (String where : List.of("without a device", "on simulated", "on real devices")) {
            String caught = where.equals("on simulated") ? "on simulated devices" : where;
            page.append("| caught %s | %d | %d |\n".formatted(
                    caught,
                    drawn.stream().filter(each -> each.wasCaught() && each.first().contains(where)).count(),
                    drawn.stream().filter(each -> each.isCaught() && each.now().contains(where)).count()));
        }
        long equivalent = drawn.stream().filter(Sample.Drawn::isEquivalent).count();
        page.append("| equivalent | %d | %1$d |\n".formatted(equivalent));
        page.append("| survived | %d | %d |\n".formatted(
                drawn.stream().filter(each -> !each.wasCaught() && !each.isEquivalent()).count(),
                drawn.stream().filter(each -> !each.isCaught() && !each.isEquivalent()).count()));
        page.append("| caught of those that are not equivalent | %.1f %% | %.1f %% |\n\n".formatted(
                100.0 * drawn.stream().filter(Sample.Drawn::wasCaught).count() / (drawn.size() - equivalent),
                100.0 * sample.shareCaught()));
        page.append("| not caught | defect | why |\n| --- | --- | --- |\n");
        for (Sample.Drawn each : drawn) {
            if (!each.isCaught()) {
                page.append("| %s | %s | %s |\n".formatted(each.where(), each.what(), each.now()));
            }
        }
        page.append("\n");
    }
}
