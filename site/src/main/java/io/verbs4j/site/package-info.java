// SPDX-License-Identifier: Apache-2.0
/// Makes the site: `docs`, the README and Javadoc as pages that need no server and nothing from elsewhere.
@NullMarked
package io.verbs4j.site;

import org.jspecify.annotations.NullMarked;
