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

/// A completion channel reported an armed queue.
@Name("io.verbs4j.CompletionNotification")
@Label("Completion Notification")
@Description("A completion channel reported an armed queue.")
@Category({"RDMA", "verbs4j"})
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class CompletionNotificationEvent extends Event {
    @Label("Completion queue")
    @Nullable String queue;
}
