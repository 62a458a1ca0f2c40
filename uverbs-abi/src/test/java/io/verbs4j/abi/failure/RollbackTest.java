// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Undoing the completed steps of a sequence that fails.
class RollbackTest {
    @Test
    void undoingRunsBackwardsAndInSpiteOfFailures() {
        var undone = new ArrayList<String>();
        var failed = new IllegalStateException("second");
        var rollback = new Rollback();
        rollback.add(() -> undone.add("first"));
        assertThat(rollback.make(() -> "made", made -> {
            undone.add(made);
            throw failed;
        })).isEqualTo("made");
        assertThatThrownBy(() -> rollback.make(() -> {
            throw new IllegalArgumentException("not made");
        }, _ -> undone.add("never"))).hasMessage("not made");
        rollback.add(() -> undone.add("last"));
        assertThatThrownBy(rollback::close).isSameAs(failed);
        assertThat(undone).containsExactly("last", "made", "first");
        assertThatThrownBy(rollback::close).isSameAs(failed);
        assertThat(undone).as("only the failed action again").containsExactly("last", "made", "first", "made");
        var kept = new Rollback();
        kept.add(() -> undone.add("kept"));
        kept.keep();
        kept.close();
        assertThat(undone).doesNotContain("kept");
    }

    /// Also a lack of heap in one action does not prevent the others.
    @Test
    void anErrorDoesNotPreventTheOtherActions() {
        var undone = new ArrayList<String>();
        var lack = new OutOfMemoryError("of a test");
        var later = new IllegalStateException("later");
        var rollback = new Rollback();
        rollback.add(() -> undone.add("first"));
        rollback.add(() -> {
            throw later;
        });
        rollback.add(() -> {
            if (undone.isEmpty()) {
                throw lack;
            }
            undone.add("last");
        });
        assertThatThrownBy(rollback::close).isSameAs(lack).hasSuppressedException(later);
        assertThat(undone).containsExactly("first");
        assertThatThrownBy(rollback::close).isSameAs(later);
        assertThat(undone).containsExactly("first", "last");
    }
}
