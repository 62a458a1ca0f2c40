// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tests.support.Kernel;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Deviations of rxe from the specification (IBA vol. 1, release 1.7). Only here does the model depend on kernels. A
/// constant of the simulator's `Behaviour` has the same name if it has the same meaning.
/// docs/walks.md shows this table.
enum Quirk {
    LOCAL_FAILURES_ARE_FLUSHES(
            "6.12 and later",
            "10.8.5, 11.6.2",
            "A send that fails before its first packet completes as flushed, not with the status of the failure.",
            Kernel::hidesLocalErrorsBehindFlushes),
    BAD_RECEIVES_ARE_OPERATION_ERRORS(
            "all",
            "11.6.2",
            "A receive that is too short, or has a wrong key, completes with an operation error, not with a length or protection error.",
            () -> true),
    WRONG_SEND_KEYS_ARE_OPERATION_ERRORS(
            "6.1",
            "11.6.2",
            "A send with a wrong local key completes with an operation error, not with a protection error.",
            () -> !Kernel.hidesLocalErrorsBehindFlushes()),
    RECEIVES_CLAIM_A_ROUTE(
            "all", "11.4.2.1", "Each successful receive reports a global route header, also on connections.",
            () -> true),
    SENDS_CLAIM_IMMEDIATE_DATA(
            "all",
            "11.4.2.1",
            "The sender's completion of a send or write with immediate data reports immediate data with the value 0.",
            () -> true),
    REGION_KEYS_CANNOT_BE_INVALIDATED(
            "all",
            "10.6.5",
            "Invalidating the key of a region always fails.",
            () -> true),
    WINDOWS_REACH_THE_WHOLE_REGION(
            "all", "10.6.7.2", "A peer that has the key of a window can access the whole region.", () -> true),
    FAILURES_ARE_NOT_SOLICITED(
            "all",
            "11.4.2.2",
            "A queue armed for solicited completions does not report failed sends.",
            () -> true),
    FLUSHED_RECEIVES_ARE_NOT_SOLICITED(
            "6.12 and later",
            "11.4.2.2",
            "A queue armed for solicited completions does not report flushed receives.",
            () -> !Kernel.countsFlushedReceivesAsSolicited()),
    WAITING_REQUESTS_OUTRUN_FAILURES(
            "6.1",
            "10.6.5, 11.6.2",
            "When an unanswered send fails, a later local invalidation completes as flushed, but is executed.",
            Kernel::invalidatesBehindFailedSends),
    NO_ATOMIC_WRITE_AND_NO_FLUSH(
            "before 6.2", "–", "Atomic write and flush are missing: verbs4j refuses both operations.",
            () -> !Kernel.hasFlushAndAtomicWrite());

    /// On which kernels.
    final String kernels;

    /// Holds what the specification says about it.
    final String sections;

    /// The symptom.
    final String symptom;

    private final BooleanSupplier here;

    Quirk(String kernels, String sections, String symptom, BooleanSupplier here) {
        this.kernels = kernels;
        this.sections = sections;
        this.symptom = symptom;
        this.here = here;
    }

    /// Those of the running kernel.
    static Set<Quirk> ofThisKernel() {
        var quirks = EnumSet.allOf(Quirk.class);
        quirks.removeIf(quirk -> !quirk.here.getAsBoolean());
        return quirks;
    }
}
