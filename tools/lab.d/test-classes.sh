# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The variables in capitals are used by scripts that source this file.
# shellcheck disable=SC2034
# JVM options of the device tests. The machine, which creates the cache of classes, and the guest, which maps it, use the same
# options. Needs REPOSITORY.

TEST_JARS=$REPOSITORY/tests/target/dist/lib
TEST_CACHE=$REPOSITORY/tests/target/dist/tests.aot

# Sets TEST_CLASS_PATH, in an order independent of the folder's, and TESTS_JAR.
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

# G1 and the optimizing compiler do not pay off under emulation. Also, the optimizing compiler patches code
# that other processors execute, and QEMU's emulation can see partial changes: the JVM crashed once in about twenty starts. The
# first compiler patches almost no code.
TEST_JVM_OPTIONS=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1)

# Only in the guest: the cache must be mapped at its original address, because relocating its pointers takes seconds.
GUEST_JVM_OPTIONS=(-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0)

# Creates the cache (JEP 483, JEP 514) by a test class without a device that uses most classes of the device tests. They run
# without the cache as well, a quarter slower. A cache older than the jars belongs to another build.
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
