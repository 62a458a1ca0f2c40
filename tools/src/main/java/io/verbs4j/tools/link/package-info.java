// SPDX-License-Identifier: Apache-2.0
/// Lists, creates and deletes software devices on network interfaces.
@NullMarked
package io.verbs4j.tools.link;

import org.jspecify.annotations.NullMarked;
