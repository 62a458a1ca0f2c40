# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are for whoever reads this file.
# shellcheck disable=SC2034
# Options of the device tests' virtual machine: the same on the machine, which makes the cache of classes, and
# in the guest, which maps it. Needs REPOSITORY.

TEST_JARS=$REPOSITORY/tests/target/dist/lib
TEST_CACHE=$REPOSITORY/tests/target/dist/tests.aot

# Sets TEST_CLASS_PATH, in an order that does not depend on the folder's, and TESTS_JAR.
find_test_classes() {
    local jar
    TEST_CLASS_PATH='' TESTS_JAR=''
    for jar in "$TEST_JARS"/*.jar; do
        TEST_CLASS_PATH+=${TEST_CLASS_PATH:+:}$jar
        case ${jar##*/} in verbs4j-tests-*-tests.jar) TESTS_JAR=$jar ;; esac
    done
    [[ -r $TESTS_JAR ]] || {
        printf 'no tests jar in %s\n' "$TEST_JARS" >&2
        return 1
    }
}

# The second collector and the optimizing compiler cost more than they give under emulation; and the optimizing compiler
# replaces code that other processors run, which QEMU's emulation can see half done: once in some twenty starts the virtual
# machine died of that. The first compiler replaces next to nothing.
TEST_JVM_OPTIONS=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1)

# Only in the guest: the cache is mapped where it was made for, because adjusting all its pointers takes seconds.
GUEST_JVM_OPTIONS=(-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0)

# Makes the cache (JEP 483, JEP 514), by a test class that uses most of what the device tests use and needs no device; they
# run without it as well, a quarter slower. Dated like everything else: older than the jars means of another build.
make_test_cache() {
    find_test_classes || return 0
    [[ ! $TEST_CACHE -nt $TESTS_JAR ]] || return 0
    rm -f -- "$TEST_CACHE"
    (cd -- "$REPOSITORY/tests" && timeout 60 "$JDK_HOME/bin/java" "${TEST_JVM_OPTIONS[@]}" -Xmx1g -Xlog:disable \
        -XX:AOTCacheOutput="$TEST_CACHE" --enable-native-access=ALL-UNNAMED -cp "$TEST_CLASS_PATH" \
        io.verbs4j.tests.support.AotTestTraining "$TEST_JARS"/verbs4j-*.jar -- \
        execute --scan-classpath="$TESTS_JAR" --include-classname='.*\.FaultInjectionTest' \
        --details=none --disable-banner) >/dev/null 2>&1 || true
}
