// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import io.verbs4j.spi.kit.PlayedDevice;
import io.verbs4j.spi.kit.ProviderContract;

/// The contract of all providers, on a device with siw's rings.
class SiwContractTest extends ProviderContract {
    @Override
    protected PlayedDevice open() {
        return new PlayedSiw();
    }
}
