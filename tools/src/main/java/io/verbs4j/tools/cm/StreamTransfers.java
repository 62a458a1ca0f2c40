// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.RdmaStream;

/// Performs the transfers of a test over a stream.
interface StreamTransfers {
    /// Runs a test.
    ///
    /// @return the duration in nanoseconds
    long run(RdmaStream stream, RstreamTest test) throws InterruptedException;
}
