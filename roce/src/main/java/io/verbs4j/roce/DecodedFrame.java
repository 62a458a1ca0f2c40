// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// The contents of a captured frame.
public sealed interface DecodedFrame permits RoceFrame, DamagedFrame, OtherFrame {}
