// SPDX-License-Identifier: Apache-2.0
/// A store of keys and values in the server's memory. Clients access it by messages over reliable connections.
@NullMarked
package io.verbs4j.examples.kv;

import org.jspecify.annotations.NullMarked;
