// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import java.util.ArrayList;
import java.util.List;

/// Collects the findings of checks.
final class Findings {
    private final List<Finding> all = new ArrayList<>();

    void ok(String check, String message) {
        all.add(new Finding(Severity.OK, check, message, null));
    }

    void note(String check, String message) {
        all.add(new Finding(Severity.NOTE, check, message, null));
    }

    void note(String check, String message, String remedy) {
        all.add(new Finding(Severity.NOTE, check, message, remedy));
    }

    void warning(String check, String message, String remedy) {
        all.add(new Finding(Severity.WARNING, check, message, remedy));
    }

    void error(String check, String message, String remedy) {
        all.add(new Finding(Severity.ERROR, check, message, remedy));
    }

    List<Finding> all() {
        return List.copyOf(all);
    }

    Severity worst() {
        Severity worst = Severity.OK;
        for (Finding finding : all) {
            worst = finding.severity().compareTo(worst) > 0 ? finding.severity() : worst;
        }
        return worst;
    }
}
