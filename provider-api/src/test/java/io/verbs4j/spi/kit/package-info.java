// SPDX-License-Identifier: Apache-2.0
/// The kit that tests any provider: a contract ([ProviderContract]) on a device that the provider's author simulates in
/// memory ([PlayedDevice]).
@NullMarked
package io.verbs4j.spi.kit;

import org.jspecify.annotations.NullMarked;
