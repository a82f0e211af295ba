# The tests on other CPUs than this one: tests/README.md says what is checked where. Included by the
# Makefile.

# ---------------------------------------------------------------- for other CPUs

# cross_make CC BUILD ISAS TESTS: rodbench and tests for another CPU, of which nothing is needed but a
# compiler with the C library.
cross_make = $(MAKE) --no-print-directory BUILD=$(2) CC='$(1)' SHIM=0 CMOCKA=own \
	$(if $(3),ISAS='$(3)') $(2)/rodbench $(4:%=$(2)/tests/%)

# ---------------------------------------------------------------- NEON

# What an emulator runs takes twenty times as long, and most of the tests are not about vectors. The
# longest come first: programs run side by side.
neon_quick := test_chunked test_vec test_golden test_api_create test_api_shapes test_api_stiffness \
	test_api_values
neon := $(BUILD)/aarch64
neon_cc := aarch64-linux-gnu-gcc
neon_run := qemu-aarch64-static -L /usr/aarch64-linux-gnu
neon_test = BUILD='$(neon)' CC='$(neon_cc)' OBJDUMP=aarch64-linux-gnu-objdump TEST_UNDER='$(neon_run)' \
	TEST_TIMEOUT=3600 SEE_TIMEOUT=3600

.PHONY: test-neon test-neon-full
test-neon:
	@scripts/install-deps build test neon
	@+$(call cross_make,$(neon_cc),$(neon),,$(neon_quick))
	@$(neon_test) ISAS=neon TENS=1 tests/run tests/platform_verify.sh tests/platform_neon.sh \
		$(neon_quick:%=$(neon)/tests/%)

test-neon-full:
	@scripts/install-deps build test neon
	@+$(call cross_make,$(neon_cc),$(neon),,$(tests))
	@$(neon_test) TEST_TIMEOUT=14400 SEE_TIMEOUT=14400 ISAS='scalar sse41 neon' TENS=10 \
		tests/run tests/platform_verify.sh tests/platform_neon.sh $(tests:%=$(neon)/tests/%)

# ---------------------------------------------------------------- levels of x86

.PHONY: test-x86
test-x86:
	@scripts/install-deps build test x86-levels
	@$(MAKE) --no-print-directory all
	@BUILD='$(BUILD)' SEE_TIMEOUT=600 TEST_TIMEOUT=1200 tests/run tests/platform_x86.sh

# ---------------------------------------------------------------- portability

# Plain C and what SIMDe makes of SSE for CPUs that lack it, and both compilers at three levels of
# optimisation.
portable_tests := test_vec test_golden test_api_create test_api_shapes test_api_values
portable_run = BUILD=$(1) TEST_UNDER='$(2)' TEST_TIMEOUT=3600 SEE_TIMEOUT=3600 ISAS='$(3)' TENS=1 \
	tests/run tests/platform_verify.sh $(portable_tests:%=$(1)/tests/%)
portable_targets := portable-riscv64 portable-ppc64le $(foreach level,0 2 3,portable-gcc-O$(level) \
	portable-clang-O$(level))

.PHONY: test-portable $(portable_targets)
# One after the other, so that each has its closing line.
test-portable:
	@scripts/install-deps build test portable
	@for target in $(portable_targets); do \
		echo "== $$target"; $(MAKE) --no-print-directory $$target || exit 1; done

portable-riscv64:
	@+$(call cross_make,riscv64-linux-gnu-gcc,$(BUILD)/riscv64,scalar sse41,$(portable_tests))
	@$(call portable_run,$(BUILD)/riscv64,qemu-riscv64-static -L /usr/riscv64-linux-gnu,scalar sse41)

portable-ppc64le:
	@+$(call cross_make,powerpc64le-linux-gnu-gcc,$(BUILD)/ppc64le,scalar sse41,$(portable_tests))
	@$(call portable_run,$(BUILD)/ppc64le,qemu-ppc64le-static -L /usr/powerpc64le-linux-gnu,scalar sse41)

# Static patterns: make looks for no other rules for what is phony, and would do nothing.
portable_here := $(filter portable-gcc-% portable-clang-%,$(portable_targets))
$(portable_here): compiler = $(word 2,$(subst -, ,$@))
$(portable_here): level = $(word 3,$(subst -, ,$@))
$(portable_here): portable-%:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/$* CC=$(compiler) SHIM=0 \
		CFLAGS='-$(level) -g1' ISAS='scalar sse41 avx2' \
		$(addprefix $(BUILD)/$*/,rodbench $(portable_tests:%=tests/%))
	@$(call portable_run,$(BUILD)/$*,,scalar sse41 avx2)
