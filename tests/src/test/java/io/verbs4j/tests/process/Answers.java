// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.tests.support.ExternalProcess;

/// Describes what a process answered by [io.verbs4j.tests.support.Probe].
record Answers(String output) {
    static Answers of(ExternalProcess.Result result) {
        return new Answers(result.requireSuccess().output());
    }

    String to(String question) {
        return output.lines()
                .filter(line -> line.startsWith(question + ": "))
                .map(line -> line.substring(question.length() + 2))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no answer to " + question + " in:\n" + output));
    }
}
