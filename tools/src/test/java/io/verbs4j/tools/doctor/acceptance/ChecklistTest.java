// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/// A checklist keeps what came of each check, and goes on after a failure.
class ChecklistTest {
    private final List<Row> rows = new ArrayList<>();
    private final Checklist list = new Checklist(rows::add);

    private void assertRows(Tuple... expected) {
        assertThat(rows).extracting(Row::outcome, Row::errno, Row::note).containsExactly(expected);
    }

    @Test
    void goesOnAfterAFailureAndStartsAfresh() {
        var cleaned = new ArrayList<Integer>();
        list.afterFailure(() -> cleaned.add(rows.size()));
        list.check("first", () -> "seen");
        list.check("second", () -> {
            throw new VerbsException("post", Errno.EINVAL, "no such key");
        });
        list.check("third", () -> {
            throw new IllegalStateException();
        });
        list.check("fourth", () -> "");

        assertRows(
                tuple(Outcome.PASSED, 0, "seen"),
                tuple(Outcome.FAILED, Errno.EINVAL, "post failed: " + Errno.describe(Errno.EINVAL) + ": no such key"),
                tuple(Outcome.FAILED, 0, "java.lang.IllegalStateException"),
                tuple(Outcome.PASSED, 0, ""));
        assertThat(cleaned).containsExactly(2, 3);
        assertThat(list.count(Outcome.FAILED)).isEqualTo(2);
    }

    @Test
    void takesADriverAtItsWordOnlyWhereItMayRefuse() {
        var refusal = new NotSupportedException("create", Errno.EOPNOTSUPP, "no datagrams");
        list.optional("may refuse", () -> {
            throw refusal;
        });
        list.check("must not", () -> {
            throw refusal;
        });
        String words = "the driver reports: " + refusal.getMessage();
        assertRows(
                tuple(Outcome.LEFT_OUT, Errno.EOPNOTSUPP, words), tuple(Outcome.FAILED, Errno.EOPNOTSUPP, words));
    }

    @Test
    void saysWhyACheckWasLeftOut() {
        list.check("absent", () -> {
            throw new LeftOutException("there is no program");
        });
        assertRows(tuple(Outcome.LEFT_OUT, 0, "there is no program"));
        assertThat(rows.getFirst().toString()).startsWith("left out  absent  ").endsWith("  there is no program");
    }

    @Test
    void namesTheCauseThatAnotherThreadMetAndTheFailureOfTheCleaning() {
        list.afterFailure(() -> {
            throw new VerbsException("close", Errno.EBUSY, "");
        });
        list.check("elsewhere", () -> {
            throw new ExecutionException(new VerbsException("accept", Errno.ETIMEDOUT, "late"));
        });
        assertThat(rows).extracting(Row::check, Row::errno)
                .containsExactly(tuple("elsewhere", Errno.ETIMEDOUT), tuple("elsewhere, cleanup", Errno.EBUSY));
    }
}
