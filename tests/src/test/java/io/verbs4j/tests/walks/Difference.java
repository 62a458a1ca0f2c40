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
            "A post to a full queue fails with ENOMEM. verbs4j returns the number of posted work requests instead.",
            "counts the posted work requests"),
    COMPLETIONS_ARE_TAKEN_AT_ONCE(
            "pyverbs",
            "A program cannot count waiting completions without taking the completions.",
            "takes the completions after each step, and omits a resize that waiting completions would prevent"),
    EVENTS_BLOCK(
            "pyverbs",
            "A program can wait for an event, but cannot query whether an event is available.",
            "omits arming"),
    REQUESTS_HAVE_AN_ELEMENT(
            "pyverbs",
            "A work request has at least one scatter/gather element, except for binds and invalidations.",
            "adds an element of length 0"),
    WINDOWS_KEEP_THEIR_FIRST_KEY(
            "pyverbs",
            "`SendWR.set_bind_wr` computes the next key from the first key, but does not store the next key, so a"
                    + " second bind of the same window fails.",
            "binds each window once"),
    ATOMIC_WRITES_AND_FLUSHES_ARE_EXTENDED(
            "libibverbs",
            "Only the extended functions can post an atomic write or a flush.",
            "omits both operations");

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
