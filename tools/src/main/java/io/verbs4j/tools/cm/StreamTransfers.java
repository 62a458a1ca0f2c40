// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.RdmaStream;

/// Makes the transfers of a test over a stream.
interface StreamTransfers {
    /// Runs a test.
    ///
    /// @return the nanoseconds it took
    long run(RdmaStream stream, RstreamTest test) throws InterruptedException;
}
