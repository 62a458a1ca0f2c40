// SPDX-License-Identifier: Apache-2.0
/// Programs that connect by IP address, as those of librdmacm do.
@NullMarked
package io.verbs4j.tools.cm;

import org.jspecify.annotations.NullMarked;
