// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.util.ArrayList;
import java.util.List;

/// The rounds of a case.
final class CaseResults {
    private static final int MAX_FAILURES = 3;

    /// One round of both languages, with NaN for unknown values.
    ///
    /// @param cProcessor microseconds of processor time per message, for both ends together
    record Row(int round, double c, double java, double cProcessor, double javaProcessor) {}

    private final Case what;
    private final List<Row> rows = new ArrayList<>();
    private int failuresOfC;
    private int failuresOfJava;

    CaseResults(Case what) {
        this.what = what;
    }

    Case what() {
        return what;
    }

    List<Row> rows() {
        return rows;
    }

    /// Rounds in which both came to the end.
    List<Row> pairs() {
        return rows.stream().filter(row -> row.c > 0 && row.java > 0).toList();
    }

    int failuresOfC() {
        return failuresOfC;
    }

    int failuresOfJava() {
        return failuresOfJava;
    }

    void failed(String who) {
        if (who.equals("C")) {
            failuresOfC++;
        } else {
            failuresOfJava++;
        }
    }

    boolean isHopeless() {
        return Math.max(failuresOfC, failuresOfJava) >= MAX_FAILURES;
    }

    /// Adds a round. Failed runs have no outcomes.
    ///
    /// @param cStart results of a run with the fewest messages; their processor time is subtracted
    void add(int round, End.Outcome[] c, End.Outcome[] java, End.Outcome[] cStart, End.Outcome[] javaStart) {
        rows.add(new Row(round, figure(c), figure(java), perMessage(c, cStart), perMessage(java, javaStart)));
    }

    /// Adds a boot.
    void add(Row medians) {
        rows.add(medians);
    }

    private double figure(End.Outcome[] outcomes) {
        return outcomes.length == 0 ? Double.NaN : what.read(outcomes[0].output());
    }

    private double perMessage(End.Outcome[] outcomes, End.Outcome[] start) {
        return (processor(outcomes) - processor(start)) / 1e3 / (what.messages() - what.fewest());
    }

    private static double processor(End.Outcome[] outcomes) {
        double sum = outcomes.length == 0 ? Double.NaN : 0;
        for (End.Outcome each : outcomes) {
            sum += each.processorNanos();
        }
        return sum;
    }
}
