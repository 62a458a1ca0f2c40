// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PortAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The facts about a device that reports show.
///
/// @param name such as `rxe0`
/// @param nodeType kind of device
/// @param boardId the vendor's name for the board, if there is one
/// @param attributes limits and abilities
/// @param completionVectors how many
/// @param ports those that are to be shown
record DeviceFacts(
        String name,
        NodeType nodeType,
        @Nullable String boardId,
        DeviceAttributes attributes,
        int completionVectors,
        List<Port> ports) {

    /// A port and its GIDs.
    record Port(PortAttributes attributes, List<GidEntry> gids) {}
}
