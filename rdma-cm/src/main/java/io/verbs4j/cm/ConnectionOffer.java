// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.ConnectionParameters;

/// The largest offer to a peer.
final class ConnectionOffer {
    /// The largest values of the fields, for the side that sends the request.
    static final ConnectionParameters MAXIMUM = ConnectionParameters.DEFAULT.withReadAtomic(255, 255);

    private ConnectionOffer() {}
}
