// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.Errno;
import java.util.List;

/// The outcome of a step.
///
/// @param text `done`, the number of posted work requests, or the exception
/// @param refusal whether it was refused
/// @param byLibrary whether the refusal came from the library, not from the kernel
/// @param completions the polled completions
record Outcome(String text, boolean refusal, boolean byLibrary, List<WalkCompletion> completions) {
    static final Outcome DONE = new Outcome("done", false, false, List.of());

    static Outcome posted(int count) {
        return new Outcome("posted " + count, false, false, List.of());
    }

    static Outcome refused(int errno) {
        return new Outcome(Errno.name(errno), true, false, List.of());
    }

    static Outcome refusedByLibrary(Class<? extends RuntimeException> exception) {
        return new Outcome(exception.getSimpleName(), true, true, List.of());
    }

    static Outcome completions(List<WalkCompletion> taken) {
        return new Outcome("took " + taken.size(), false, false, List.copyOf(taken));
    }

    @Override
    public String toString() {
        return completions.isEmpty() ? text : text + ": " + completions;
    }
}
