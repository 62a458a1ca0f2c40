// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/// A work request did not fit into its ring.
@Name("io.verbs4j.QueueFull")
@Label("Queue Full")
@Description("A work request found no room in its ring.")
@Category({"RDMA", "verbs4j"})
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class QueueFullEvent extends Event {
    @Label("Queue")
    @Nullable String queue;
}
