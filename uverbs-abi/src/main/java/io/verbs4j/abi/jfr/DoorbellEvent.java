// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/// A doorbell was rung: work requests are waiting in a send ring.
@Name("io.verbs4j.Doorbell")
@Label("Doorbell")
@Description("A doorbell rang: work requests wait in a send ring.")
@Category({"RDMA", "verbs4j"})
@Enabled(false)
@StackTrace(false)
@Threshold("0 ms")
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class DoorbellEvent extends Event {
    @Label("Queue pair number") int queuePair;

    @Label("Work requests of the batch") int workRequests;

    @Label("Error number, 0 for success") int errno;
}
