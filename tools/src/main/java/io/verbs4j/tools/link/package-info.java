// SPDX-License-Identifier: Apache-2.0
/// Software devices upon network interfaces: listing, making and deleting them.
@NullMarked
package io.verbs4j.tools.link;

import org.jspecify.annotations.NullMarked;
