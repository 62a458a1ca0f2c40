// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Results of posting one work request.
public final class PostResult {
    /// The work request is in the batch.
    public static final int POSTED = 0;
    /// The ring has no free slot; nothing was written.
    public static final int QUEUE_FULL = -1;

    private PostResult() {}
}
