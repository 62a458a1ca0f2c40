# SPDX-License-Identifier: Apache-2.0
"""The subcommands: one module each, with HELP and run(arguments), which returns the exit code."""
