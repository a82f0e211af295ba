# The tests on other CPUs than this one: tests/README.md says what is checked where. Included by the
# Makefile.

# ---------------------------------------------------------------- for other CPUs

# cross_make CC BUILD CFLAGS ISAS TESTS: rodbench and tests for another CPU. Nothing of the other CPU is needed but a compiler with
# the C library: SIMDe's headers are for all CPUs, but its compiler does not look where they are.
cross_make = mkdir -p $(2)/include && ln -sfn /usr/include/simde $(2)/include/simde && \
	$(MAKE) --no-print-directory BUILD=$(2) CC='$(1)' SHIM=0 CMOCKA=own $(if $(4),ISAS='$(4)') \
	CFLAGS='$(3) -isystem $(abspath $(2))/include' $(2)/rodbench $(5:%=$(2)/tests/%)

# ---------------------------------------------------------------- NEON

# What an emulator runs takes twenty times as long, and most of the tests are not about vectors.
neon_quick := test_vec test_golden test_chunked test_api_create test_api_shapes test_api_stiffness \
	test_api_values
neon := $(BUILD)/aarch64
neon_run := qemu-aarch64-static -L /usr/aarch64-linux-gnu
neon_test = BUILD='$(neon)' OBJDUMP=aarch64-linux-gnu-objdump TEST_UNDER='$(neon_run)' \
	TEST_TIMEOUT=3600 SEE_TIMEOUT=3600

.PHONY: test-neon test-neon-full
test-neon:
	@scripts/install-deps build test neon
	@$(call cross_make,aarch64-linux-gnu-gcc,$(neon),-O2 -g1,,$(neon_quick))
	@$(neon_test) ISAS=neon TENS=1 tests/run $(neon_quick:%=$(neon)/tests/%) tests/platform_neon.sh

test-neon-full:
	@scripts/install-deps build test neon
	@$(call cross_make,aarch64-linux-gnu-gcc,$(neon),-O2 -g1,,$(tests))
	@$(neon_test) ISAS='scalar sse41 neon' TENS=10 \
		tests/run $(tests:%=$(neon)/tests/%) tests/platform_neon.sh

# ---------------------------------------------------------------- levels of x86

.PHONY: test-x86
test-x86:
	@scripts/install-deps build test x86-levels
	@$(MAKE) --no-print-directory all
	@BUILD='$(BUILD)' SEE_TIMEOUT=600 TEST_TIMEOUT=1200 tests/run tests/platform_x86.sh
