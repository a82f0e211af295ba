# What finds mistakes that tests alone do not: sanitizers, fuzzing, long runs, coverage. Included by
# the Makefile; tests/README.md says more.

own := --no-print-directory CC=clang CXX=clang++

# ---------------------------------------------------------------- sanitizers

# One build for sanitized tests and for fuzzing. Kernels that differ by width only are left out, and
# tests that count arithmetic, whose sources take minutes to compile with checks.
asan := $(BUILD)/asan
asan_flags := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
# Checks of every pointer and of coverage make kernels, which are all inlined, take ten times as long
# to compile; their addresses are checked by the address sanitizer.
asan_isa_flags := -fno-sanitize=null,alignment,pointer-overflow,object-size,fuzzer-no-link
asan_make := $(MAKE) $(own) BUILD=$(asan) ISAS='scalar avx2' \
	CFLAGS='$(asan_flags) -fsanitize=fuzzer-no-link' \
	ISA_CFLAGS='$(asan_isa_flags)' CXXFLAGS='$(asan_flags)'
lsan := LSAN_OPTIONS=suppressions=$(abspath tests/lsan.supp):print_suppressions=0
asan_tests := $(filter-out test_operations_% test_vec test_reference_% test_soak,$(tests))
# Under valgrind, which knows no AVX-512 and hides it from programs. Not test_golden: valgrind's fused
# arithmetic is not the CPU's to the last bit.
valgrind_tests := test_threads test_api_create test_api_shapes
valgrind := valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite
tsan := $(BUILD)/tsan

.PHONY: sanitize sanitize-address sanitize-thread sanitize-memory
sanitize: sanitize-address sanitize-thread sanitize-memory

# Leaks are errors, too.
sanitize-address:
	@scripts/install-deps build test sanitize
	@+$(asan_make) $(asan)/rodbench $(asan_tests:%=$(asan)/tests/%)
	@BUILD=$(asan) TEST_TIMEOUT=1200 $(lsan) tests/run tests/sanitized.sh $(asan_tests:%=$(asan)/tests/%)

sanitize-thread:
	@scripts/install-deps build test sanitize
	@$(MAKE) $(own) BUILD=$(tsan) SHIM=0 ISAS='scalar sse41' CFLAGS='-O1 -g1 -fsanitize=thread' \
		$(tsan)/tests/test_threads
	@BUILD=$(tsan) TEST_TIMEOUT=1200 tests/run tests/sanitized_threads.sh

sanitize-memory:
	@scripts/install-deps build test sanitize
	@$(MAKE) --no-print-directory $(valgrind_tests:%=$(BUILD)/tests/%)
	@BUILD='$(BUILD)' TEST_UNDER='$(valgrind)' TEST_TIMEOUT=1200 \
		tests/run $(valgrind_tests:%=$(BUILD)/tests/%)

# ---------------------------------------------------------------- fuzzing

fuzz_targets := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SECONDS ?= 3600

.PHONY: fuzz
fuzz:
	@scripts/install-deps build test sanitize
	@+$(asan_make) $(fuzz_targets:%=$(asan)/fuzz/%)
	@BUILD=$(asan) $(lsan) FUZZ_SECONDS=$(FUZZ_SECONDS) TEST_TIMEOUT=100000 tests/run tests/fuzz.sh

$(BUILD)/fuzz/%: $(BUILD)/tests/fuzz/%.o $(bench_tools) $(BUILD)/librod.a
	@mkdir -p $(@D)
	$(call quietly,LD )$(link) -fsanitize=fuzzer $^ $(ld_libraries) -o $@

# ---------------------------------------------------------------- long runs

.PHONY: soak
soak:
	@scripts/install-deps build test
	@$(MAKE) --no-print-directory $(BUILD)/tests/test_soak
	@ROD_SOAK_SEEDS=20 ROD_TEST_SEED=1 ROD_SOAK_TABLE=tests/soak.md TEST_TIMEOUT=7200 \
		tests/run $(BUILD)/tests/test_soak
	@echo 'what was tried and held: tests/soak.md'

# ---------------------------------------------------------------- coverage

# Of soa/ and kernels/, over all objects that a line was compiled into. Without the property tests of
# batches and the soak, which take many minutes without optimisation: `verify` runs every variant.
cover := $(BUILD)/coverage
cover_tests := $(filter-out test_operations_% test_reference_% test_batch_% test_soak,$(tests))

.PHONY: coverage
coverage:
	@scripts/install-deps build test
	@$(MAKE) --no-print-directory BUILD=$(cover) CFLAGS='-O0 -g1 --coverage' \
		CXXFLAGS='-O0 -g1 --coverage' ISAS='scalar sse41 avx2' $(cover)/rodbench \
		$(cover_tests:%=$(cover)/tests/%)
	@find $(cover) -name '*.gcda' -delete
	@BUILD=$(cover) TEST_TIMEOUT=3600 tests/run $(cover_tests:%=$(cover)/tests/%)
	@$(cover)/rodbench verify --tens 1 >/dev/null
	@scripts/coverage.py --least 90 $(cover) soa kernels
