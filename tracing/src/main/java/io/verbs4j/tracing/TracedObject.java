// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.uapi.UverbsObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// An object that the kernel keeps for the program, as far as the trace has seen it.
///
/// @param kind its kind
/// @param handle the kernel's handle
/// @param number the one in its name: a queue pair's own, of others the handle
/// @param name its name in the trace, such as `cq#0`
/// @param uses the objects that it was made of
/// @param facts what is known of it, by C names of fields: `qp_type`, `qp_state` …
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
