// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.spi.kit.PlayedDevice;
import io.verbs4j.spi.kit.ProviderContract;

/// The contract of all providers, on a device with the queues of a card.
class Mlx5ContractTest extends ProviderContract {
    @Override
    protected PlayedDevice open() {
        return new PlayedMlx5();
    }
}
