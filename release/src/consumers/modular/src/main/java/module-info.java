// SPDX-License-Identifier: Apache-2.0
/// A program that needs one module.
module com.example.consumer {
    requires io.verbs4j;
}
