// SPDX-License-Identifier: Apache-2.0
/// Queues with the locks of the API for the stress tests, in the package of the API.
@NullMarked
package io.verbs4j;

import org.jspecify.annotations.NullMarked;
