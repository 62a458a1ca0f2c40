// SPDX-License-Identifier: Apache-2.0
/// Random calls on shared objects by many threads for as long as one likes, with a ledger of all that was posted.
@NullMarked
package io.verbs4j.tests.soak;

import org.jspecify.annotations.NullMarked;
