// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.uapi.UverbsObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A kernel object of the program, as far as the trace has seen it.
///
/// @param kind its kind
/// @param handle the kernel's handle
/// @param number the number in its name: a queue pair's own number, otherwise the handle
/// @param name its name in the trace, such as `cq#0`
/// @param uses its parents
/// @param facts its known attributes, by C field names: `qp_type`, `qp_state` …
record TracedObject(
        UverbsObject kind, int handle, long number, String name, List<TracedObject> uses, Map<String, Long> facts) {
    TracedObject {
        uses = List.copyOf(uses);
        facts = new ConcurrentHashMap<>(facts);
    }

    long fact(String field, long otherwise) {
        return facts.getOrDefault(field, otherwise);
    }
}
