// SPDX-License-Identifier: Apache-2.0
/// `verbs devinfo`: attributes of devices and ports, in the words of `ibv_devinfo`.
@NullMarked
package io.verbs4j.tools.devinfo;

import org.jspecify.annotations.NullMarked;
