// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import org.jspecify.annotations.Nullable;

/// The latest reads, atomics and flushes of a responder, for answering them again: as many as the peer may have
/// outstanding.
final class Resources {
    private Resource[] resources = {};
    private int oldest;

    void makeRoom(int count) {
        resources = new Resource[count];
        for (int i = 0; i < count; i++) {
            resources[i] = new Resource();
        }
        oldest = 0;
    }

    void clear() {
        for (Resource resource : resources) {
            resource.kind = Resource.Kind.NOTHING;
        }
    }

    boolean hasRoom() {
        return resources.length > 0;
    }

    /// Reuses the oldest record for a new request.
    Resource take(Packet packet, Resource.Kind kind) {
        Resource resource = resources[oldest];
        oldest = (oldest + 1) % resources.length;
        resource.kind = kind;
        resource.replay = false;
        resource.firstPsn = packet.psn;
        resource.lastPsn = packet.psn;
        resource.psn = packet.psn;
        return resource;
    }

    /// Returns the record that contains a PSN.
    @Nullable
    Resource find(int number) {
        for (Resource resource : resources) {
            if (resource.kind != Resource.Kind.NOTHING
                    && Packet.compare(number, resource.firstPsn) >= 0
                    && Packet.compare(number, resource.lastPsn) <= 0) {
                return resource;
            }
        }
        return null;
    }
}
