// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PortAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The device attributes in a report.
///
/// @param name the device's name, such as `rxe0`
/// @param nodeType the kind of device
/// @param boardId the vendor's name for the board, if there is one
/// @param attributes limits and capabilities
/// @param completionVectors number of completion vectors
/// @param ports the ports to show
record DeviceFacts(
        String name,
        NodeType nodeType,
        @Nullable String boardId,
        DeviceAttributes attributes,
        int completionVectors,
        List<Port> ports) {

    /// A port with its GIDs.
    record Port(PortAttributes attributes, List<GidEntry> gids) {}
}
