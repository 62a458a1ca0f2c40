// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.util.ArrayList;
import java.util.List;

/// The rounds of a case.
final class CaseResults {
    private static final int MOST_FAILURES = 3;
    /// With fewer messages the time of a program's start and end hides theirs.
    private static final int MESSAGES_FOR_PROCESSOR_TIME = 1000;

    /// One round of both, with NaN for what is not known.
    ///
    /// @param cProcessor microseconds of processor time for a message, of both ends together
    record Row(int round, double c, double java, double cProcessor, double javaProcessor) {}

    private final Case what;
    private final List<Row> rows = new ArrayList<>();
    private double cStart = Double.NaN;
    private double javaStart = Double.NaN;
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
        return Math.max(failuresOfC, failuresOfJava) >= MOST_FAILURES;
    }

    /// Notes what runs without messages cost.
    void start(End.Outcome[] c, End.Outcome[] java) {
        cStart = processor(c);
        javaStart = processor(java);
    }

    void add(int round, End.Outcome[] c, End.Outcome[] java) {
        rows.add(new Row(round, figure(c), figure(java), perMessage(c, cStart), perMessage(java, javaStart)));
    }

    private double figure(End.Outcome[] outcomes) {
        return outcomes.length == 0 ? Double.NaN : what.read(outcomes[0].output());
    }

    private double perMessage(End.Outcome[] outcomes, double start) {
        double micros = (processor(outcomes) - start) / 1e3 / (what.messages() - what.fewest());
        return what.messages() < MESSAGES_FOR_PROCESSOR_TIME || micros < 0 ? Double.NaN : micros;
    }

    private static double processor(End.Outcome[] outcomes) {
        double sum = outcomes.length == 0 ? Double.NaN : 0;
        for (End.Outcome each : outcomes) {
            sum += each.processorNanos();
        }
        return sum;
    }
}
