// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Ansi;

/// Collects the results of checks.
public final class Findings {
    private final List<Finding> all = new ArrayList<>();

    /// Adds a check that has found no problem.
    public void ok(String check, String message) {
        all.add(new Finding(Severity.OK, check, message, null));
    }

    /// Adds a fact.
    public void note(String check, String message) {
        all.add(new Finding(Severity.NOTE, check, message, null));
    }

    /// Adds a fact, and what may be done about it.
    public void note(String check, String message, String remedy) {
        all.add(new Finding(Severity.NOTE, check, message, remedy));
    }

    /// Adds something that will not work, or not well.
    public void warning(String check, String message, String remedy) {
        all.add(new Finding(Severity.WARNING, check, message, remedy));
    }

    /// Adds something that keeps RDMA from working.
    public void error(String check, String message, String remedy) {
        all.add(new Finding(Severity.ERROR, check, message, remedy));
    }

    /// Returns the results in the order of the checks.
    public List<Finding> all() {
        return List.copyOf(all);
    }

    /// Returns the worst severity; [Severity#OK] if nothing was checked.
    public Severity worst() {
        Severity worst = Severity.OK;
        for (Finding finding : all) {
            worst = finding.severity().compareTo(worst) > 0 ? finding.severity() : worst;
        }
        return worst;
    }

    /// Prints findings, each with its remedy on a second line.
    public static void print(List<Finding> findings, PrintWriter out, Ansi ansi) {
        for (Finding finding : findings) {
            String label = switch (finding.severity()) {
                case OK -> "@|green ok     |@";
                case NOTE -> "@|cyan note   |@";
                case WARNING -> "@|bold,yellow warning|@";
                case ERROR -> "@|bold,red error  |@";
            };
            out.println(ansi.string(label) + "  " + finding.check() + ": " + finding.message());
            if (finding.remedy() != null) {
                out.println("           " + finding.remedy());
            }
        }
    }
}
