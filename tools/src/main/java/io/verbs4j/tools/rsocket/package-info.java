// SPDX-License-Identifier: Apache-2.0
/// Commands over streams that speak the protocol of rsockets: `rstream`, `rcopy`.
@NullMarked
package io.verbs4j.tools.rsocket;

import org.jspecify.annotations.NullMarked;
