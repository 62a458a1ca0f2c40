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

                    This page lists deliberate defects in the code of verbs4j, and the tests that catch the defects. The page measures the
                    tests. [Quirks](rxe-quirks.md) lists defects of the kernel.

                    `tools/mutations --table` generates the page from `tests/mutations.txt` (the list) and `tests/samples` (results of random
                    samples). A build-time test checks that the list still fits the code, and that this page is up to date.

                    ## Random samples
                    `tools/mutations --sample NUMBER SEED` injects small defects at random places of the compiled code: a negated condition, a
                    moved boundary, a constant larger by one, another operator, a removed call or assignment, a result that is null, 0 or
                    negated. The command draws the same number of places from each module. For each defect, the command runs the tests that
                    reach the place, until one test fails twice. The tests run first without a device, then on simulated devices, and last on
                    real devices in the lab.

                    A defect is *equivalent* if no program can observe the defect. The percentages leave out equivalent defects. The column
                    *caught when drawn* measures the tests. Afterwards, tests are added for the defects that survived, and the next sample has
                    another seed.

                    | seed | places | equivalent | caught when drawn | caught now | on real devices only |
                    | --- | --- | --- | --- | --- | --- |
                    """);
        samples.reversed()
                .forEach(sample -> page.append("| %s | %d | %d | %.1f %% | %.1f %% | %.1f %% |\n".formatted(
                        sample.seed(),
                        sample.drawn().size(),
                        sample.drawn().stream().filter(Sample.Drawn::isEquivalent).count(),
                        100.0 * sample.shareCaughtAtFirst(),
                        100.0 * sample.shareCaught(),
                        100.0 * sample.shareOfRealDevices())));
        page.append("\n");
        samples.reversed().forEach(sample -> append(page, sample));
        page.append(
                """
                    ## List
                    The test beside each defect catches it: `tools/mutations` applies the defects one at a time and runs that test.

                    The defects of the random samples are general, like those of [PIT](https://pitest.org/quickstart/mutators/). The defects in
                    this list are specific to verbs4j: a wrong field, a plain memory access instead of an ordered access, a forgotten quirk.

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
        page.append("### Seed ").append(sample.seed()).append("\n").append(sample.head()).append(".\n\n");
        page.append("| not caught | defect | why |\n| --- | --- | --- |\n");
        for (Sample.Drawn each : sample.drawn()) {
            if (!each.isCaught()) {
                page.append("| %s | %s | %s |\n".formatted(each.where(), each.what(), each.now()));
            }
        }
        page.append("\n");
    }
}
