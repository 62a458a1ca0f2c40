// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.ConnectionParameters;

/// The most that a connection may have.
final class ConnectionOffer {
    /// As much as the fields can hold, for the side that asks first.
    static final ConnectionParameters MOST = ConnectionParameters.DEFAULT.withReadAtomic(255, 255);

    private ConnectionOffer() {}
}
