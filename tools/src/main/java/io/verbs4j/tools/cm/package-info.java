// SPDX-License-Identifier: Apache-2.0
/// Programs that connect by IP address, compatible with those of librdmacm.
@NullMarked
package io.verbs4j.tools.cm;

import org.jspecify.annotations.NullMarked;
