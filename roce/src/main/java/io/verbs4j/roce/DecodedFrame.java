// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

/// What a frame of a capture holds.
public sealed interface DecodedFrame permits RoceFrame, DamagedFrame, OtherFrame {}
