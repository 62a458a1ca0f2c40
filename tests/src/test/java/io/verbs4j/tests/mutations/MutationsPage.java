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
                    # Mutations: defects that the tests catch

                    This page lists deliberate defects in the code of verbs4j, and the tests that catch them. They measure the tests; defects of
                    the kernel are in [quirks](rxe-quirks.md).

                    `tools/mutations --table` generates the page from `tests/mutations.txt` (the list) and `tests/samples` (results of random
                    samples). A build-time test checks that the list still fits the code, and that this page is up to date.

                    ## Random sample
                    `tools/mutations --sample NUMBER SEED` injects small defects at random places of the compiled code: a negated condition, a
                    moved boundary, a constant larger by one, another operator, a removed call or assignment, a result that is null, 0 or
                    negated. For each defect, it runs the tests that reach the place until one fails twice: first without a device, then on
                    simulated devices, then on real devices in user-mode Linux. Random walks and the course's programs are left out.

                    """);
        samples.forEach(sample -> append(page, sample));
        page.append(
                """
                    ## List
                    The test beside each defect catches it: `tools/mutations` applies the defects one at a time and runs that test.

                    The operators of [PIT](https://pitest.org/quickstart/mutators/), like those above, are general. These defects are specific to
                    verbs4j: a wrong field, a plain access instead of an ordered one, a forgotten quirk.

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
        page.append("| | when sampled | now |\n| --- | --- | --- |\n");
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
