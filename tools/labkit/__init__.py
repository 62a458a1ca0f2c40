# SPDX-License-Identifier: Apache-2.0
"""The lab: boots Linux kernels with software RDMA devices, and runs commands, tests or a shell in them.

Needs Python 3.11 and its standard library. `cli` runs one module of `commands`. docs/lab.md describes how the lab works.
"""
