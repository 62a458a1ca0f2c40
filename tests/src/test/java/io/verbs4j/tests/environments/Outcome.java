// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import java.util.Set;

/// Describes how commands of a kind can end in an environment.
///
/// @param maySucceed whether they can do their work
/// @param mayFail whether they can fail
/// @param errnos names of the error numbers that the kernel can return, such as `EPERM`
/// @param causes facts of the environment that make them fail; an error names one of them
record Outcome(boolean maySucceed, boolean mayFail, Set<String> errnos, Set<Fact> causes) {
    /// They do their work.
    static final Outcome WORKS = new Outcome(true, false, Set.of(), Set.of());

    /// They fail.
    static Outcome fails(String errnos, Fact... causes) {
        return new Outcome(false, true, names(errnos), Set.of(causes));
    }

    /// Some do their work, and some fail.
    static Outcome mayFail(String errnos, Fact... causes) {
        return new Outcome(true, true, names(errnos), Set.of(causes));
    }

    private static Set<String> names(String errnos) {
        return errnos.isEmpty() ? Set.of() : Set.of(errnos.split(" "));
    }
}
