// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

/// Differences of librxe, libibverbs or pyverbs (rdma-core 44) from verbs4j, and how [Replay] and its driver handle
/// them. docs/walks.md shows this table.
enum Difference {
    INVALIDATION_HAS_ANOTHER_FLAG(
            "librxe",
            "A completion that names an invalidated key has the flag 4, which is IBV_WC_IP_CSUM_OK, and not 8,"
                    + " IBV_WC_WITH_INV: librxe passes on the kernel's numbers (`rxe_poll_cq`, rxe.c).",
            "expects the flag 4"),
    RECEIVES_IN_ERR_WAIT(
            "librxe",
            "A receive that is posted in ERR is not flushed before the next change of state.",
            "moves from ERR to ERR after such a post, as verbs4j does"),
    FULL_QUEUES_ARE_ERRORS(
            "libibverbs",
            "A post to a full queue fails with ENOMEM, while verbs4j returns how many were posted.",
            "counts what was posted"),
    COMPLETIONS_ARE_TAKEN_AT_ONCE(
            "pyverbs",
            "Waiting completions cannot be counted without taking them.",
            "takes them after each step, and omits a resize that waiting completions would prevent"),
    EVENTS_BLOCK(
            "pyverbs",
            "A program can wait for an event, but not query whether there is one.",
            "omits arming"),
    REQUESTS_HAVE_AN_ELEMENT(
            "pyverbs",
            "A work request has at least one scatter/gather element, except for binds and invalidations.",
            "adds an element of length 0"),
    WINDOWS_KEEP_THEIR_FIRST_KEY(
            "pyverbs",
            "`SendWR.set_bind_wr` computes the next key from the first one and does not store it, so a second bind of the"
                    + " same window fails.",
            "binds each window once"),
    ATOMIC_WRITES_AND_FLUSHES_ARE_EXTENDED(
            "libibverbs",
            "Only the extended functions can post an atomic write or a flush.",
            "omits them");

    /// Whose it is.
    final String whose;

    /// The symptom.
    final String symptom;

    /// Holds what the replay does about it.
    final String replay;

    Difference(String whose, String symptom, String replay) {
        this.whose = whose;
        this.symptom = symptom;
        this.replay = replay;
    }
}
