// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// Completions were taken from a ring in one batch.
@Name("io.verbs4j.Completions")
@Label("Completions")
@Description("Completions were taken from a ring in one batch.")
@Category({"RDMA", "verbs4j"})
@Enabled(false)
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recorder reads the fields
final class CompletionsEvent extends Event {
    @Label("Handle of the completion queue") int completionQueue;

    @Label("Completions") int count;
}
