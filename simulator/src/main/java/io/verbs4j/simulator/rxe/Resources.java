// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import org.jspecify.annotations.Nullable;

/// The reads, atomics and flushes that a responder did last, to answer them again: as many as the peer may have under way.
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

    /// Takes the oldest one for a request that is new.
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

    /// Finds the one that a PSN belongs to.
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
