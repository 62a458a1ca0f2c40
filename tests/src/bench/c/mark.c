// SPDX-License-Identifier: Apache-2.0
// Makes a mark: the plugin that count.c is writes down what was executed since the one before, and begins anew.
#include "mark.h"

#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(bytes) TEXT_OF(bytes)

int main(void) {
    __asm__ volatile(".byte " TEXT(MARK_BYTES));
    return 0;
}
