// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.cm.Identifier;
import java.util.HashMap;
import java.util.Map;

/// The devices of identifiers, each opened once. Not thread-safe.
final class Contexts implements AutoCloseable {
    private final Map<String, Context> open = new HashMap<>();

    /// Returns the open device of an identifier. The identifier must be bound, resolved or created by a request.
    Context of(Identifier identifier) {
        Device device = identifier.requireDevice();
        return open.computeIfAbsent(device.name(), name -> device.open());
    }

    /// Closes the devices with all their objects.
    @Override
    public void close() {
        open.values().forEach(Context::close);
    }
}
