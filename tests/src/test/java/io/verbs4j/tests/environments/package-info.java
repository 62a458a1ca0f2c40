// SPDX-License-Identifier: Apache-2.0
/// The commands of the tools in disturbed environments, judged by a table of what is true in each.
@NullMarked
package io.verbs4j.tests.environments;

import org.jspecify.annotations.NullMarked;
