// SPDX-License-Identifier: Apache-2.0
/// Tests of the site.
@NullMarked
package io.verbs4j.site;

import org.jspecify.annotations.NullMarked;
