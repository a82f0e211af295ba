# rodbench: `make help` lists the targets.

BUILD ?= build
CC = gcc
CXX = g++
# Line numbers only: the kernels' full debug information takes longer than their code.
CFLAGS ?= -O2 -g1
CXXFLAGS ?= -O2 -g1
WERROR ?= 0

ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif

# ---------------------------------------------------------------- what is built for which CPU

machine := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
ifeq ($(machine),x86_64)
isas := scalar sse41 avx2 avx512 neon
else ifeq ($(machine),aarch64)
isas := scalar sse41 neon
else
isas := scalar
endif

# A variant may use its ISA; everything else is built for the oldest CPU of the architecture.
ifeq ($(machine),x86_64)
flags_sse41 := -msse4.1
flags_avx2 := -mavx2 -mfma
flags_avx512 := -mavx512f -mavx512dq -mavx512bw -mavx512vl
flags_neon := -msse4.1
flags_avx512_emulated := -mavx2 -mfma -Wno-psabi
endif

# ---------------------------------------------------------------- flags

warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(if $(filter 1,$(WERROR)),-Werror)
# No contraction: gcc would fuse even intrinsics, and results would depend on the compiler.
common := -ffp-contract=off -fno-math-errno -fopenmp -fPIC $(warnings) -Isoa -Ikernels -Ibench \
	$(isas:%=-DROD_HAVE_%=1) -MMD -MP
compile_c = $(CC) -std=c17 $(CFLAGS) $(common)
compile_cxx = $(CXX) -std=c++17 $(CXXFLAGS) $(common)
as_isa = -DROD_ISA=$(1) -DROD_VEC_HEADER='"vec/$(1:_emulated=).h"' $(flags_$(1))
ld_libraries = -fopenmp $$(pkg-config --libs benchmark) -lm

# ---------------------------------------------------------------- sources

methods := quaternion pber pbd
lib_plain := $(wildcard soa/*.c) kernels/registry.c kernels/operations.c \
	$(methods:%=kernels/textbook_%.c)
lib_objects := $(lib_plain:%.c=$(BUILD)/%.o) \
	$(foreach isa,$(isas),$(methods:%=$(BUILD)/kernels/%.$(isa).o))
ifneq ($(filter sse41,$(isas)),)
lib_objects += $(BUILD)/kernels/quaternion_aos.sse41.o
endif
# Of more than one lane.
chunked := $(methods:%=kernels/%_chunked) kernels/quaternion_wave
lib_objects += $(foreach isa,$(filter-out scalar,$(isas)),$(chunked:%=$(BUILD)/%.$(isa).o))
reference_objects := $(BUILD)/kernels/reference/model.o
bench_plain := $(filter-out bench/peak_isa.c,$(wildcard bench/*.c))
bench_objects := $(bench_plain:%.c=$(BUILD)/%.o) $(BUILD)/bench/shim.o \
	$(isas:%=$(BUILD)/bench/peak_isa.%.o) $(reference_objects)
bench_tools := $(filter-out $(BUILD)/bench/main.o,$(bench_objects))

tests := $(patsubst tests/%.c,%,$(filter-out %_isa.c,$(wildcard tests/test_*.c)))
test_programs := $(tests:%=$(BUILD)/tests/%)
test_tools := $(BUILD)/tests/client \
	$(if $(filter avx512,$(isas)),$(BUILD)/tests/rodbench-avx512-emulated)
vec_isas := $(isas) count $(if $(filter avx512,$(isas)),avx512_emulated)

# ---------------------------------------------------------------- targets

.PHONY: all build test report bench lint format clean help deps FORCE
.SECONDARY:
.DELETE_ON_ERROR:

all: $(BUILD)/librod.a $(BUILD)/rodbench

help:
	@echo 'make            library and rodbench into $(BUILD)/'
	@echo 'make test       build and run all tests'
	@echo 'make report     build, verify, and print table 1 and all kernel variants here'
	@echo 'make bench      time every variant (Google Benchmark, $(BUILD)/bench.json), the limits of the'
	@echo '                hardware and scaling ($(BUILD)/bench/), and check the goals of speed'
	@echo 'make lint       clang-format, shellcheck, cppcheck, and a clang build without warnings'
	@echo 'make format     let clang-format rewrite the sources'
	@echo 'make clean      remove $(BUILD)/'
	@echo
	@echo 'test, report, bench and lint install what they miss through scripts/install-deps;'
	@echo 'NO_INSTALL=1 skips that. Variables: CC CXX CFLAGS CXXFLAGS BUILD WERROR=1 V=1.'

test:
	@scripts/install-deps build test
	@$(MAKE) --no-print-directory all $(test_programs) $(test_tools)
	@BUILD='$(BUILD)' CC='$(CC)' CXX='$(CXX)' tests/run $(test_programs)

report:
	@scripts/install-deps build
	@$(MAKE) --no-print-directory all
	@$(BUILD)/rodbench info
	@echo
	@$(BUILD)/rodbench verify
	@echo
	@$(BUILD)/rodbench table table1
	@echo
	@$(BUILD)/rodbench table variants

bench:
	@scripts/install-deps build
	@$(MAKE) --no-print-directory all
	$(BUILD)/rodbench bench --benchmark_out=$(BUILD)/bench.json --benchmark_out_format=json
	$(BUILD)/rodbench table limits --rounds 31 --out $(BUILD)/bench
	$(BUILD)/rodbench table scaling --out $(BUILD)/bench
	@echo
	@scripts/check-goals.py $(BUILD)/bench

lint:
	@scripts/install-deps build test lint
	@scripts/lint
	@$(MAKE) --no-print-directory CC=clang CXX=clang++ BUILD=$(BUILD)/clang WERROR=1 \
		all $(test_programs:$(BUILD)/%=$(BUILD)/clang/%)

format:
	git ls-files '*.c' '*.h' '*.cc' | xargs clang-format -i

clean:
	rm -rf $(BUILD)

# ---------------------------------------------------------------- rules

# A file so that objects are rebuilt when flags or compiler change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(subst ','\'',$(compile_c) | $(compile_cxx))' | cmp -s - $@ || \
		echo '$(subst ','\'',$(compile_c) | $(compile_cxx))' > $@

# Baselines get what a compiler can do: PBER's matrices take 2.4 times as long without.
$(BUILD)/kernels/textbook_%.o: common += -O3

# What `rodbench info` says it was built from.
$(BUILD)/commit.h: FORCE
	@mkdir -p $(@D)
	@printf '#define ROD_COMMIT "%s"\n' \
		"$$(git describe --always --dirty --abbrev=10 2>/dev/null || echo unknown)" > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(BUILD)/bench/machine.o: $(BUILD)/commit.h
$(BUILD)/bench/machine.o: common += -I$(BUILD)

# What the papers published, as data in the program: it has no files to look for when it runs.
$(BUILD)/published_rows.h: reports/published.csv scripts/published-to-c
	@mkdir -p $(@D)
	$(call quietly,GEN)scripts/published-to-c $< > $@

$(BUILD)/bench/published.o: $(BUILD)/published_rows.h
$(BUILD)/bench/published.o: common += -I$(BUILD)

# One short line for each command; V=1 shows them whole.
ifneq ($(V),1)
quietly = @echo '  $(1) $@';
endif

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quietly,CC )$(compile_c) -c $< -o $@

$(BUILD)/%.o: %.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(call quietly,CXX)$(compile_cxx) -c $< -o $@

define isa_rules
$(BUILD)/%.$(1).o: %.c $(BUILD)/flags
	@mkdir -p $$(@D)
	$$(call quietly,CC )$$(compile_c) $$(call as_isa,$(1)) -c $$< -o $$@
endef
$(foreach isa,$(isas) count avx512_emulated,$(eval $(call isa_rules,$(isa))))

$(BUILD)/librod.a: $(lib_objects)
	@rm -f $@
	$(call quietly,AR )$(AR) rcs $@ $^

$(BUILD)/rodbench: $(bench_objects) $(BUILD)/librod.a
	$(call quietly,LD )$(CXX) $(CXXFLAGS) $^ $(ld_libraries) -o $@

# ---------------------------------------------------------------- tests

$(BUILD)/tests/test_vec: $(vec_isas:%=$(BUILD)/tests/test_vec_isa.%.o) \
	$(patsubst %,$(BUILD)/tests/test_vec_twice_isa.%.o,$(filter-out scalar count,$(vec_isas)))
$(BUILD)/tests/test_vec.o: common += -DROD_HAVE_count=1 \
	$(if $(filter avx512,$(isas)),-DROD_HAVE_avx512_emulated=1)

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(bench_tools) $(BUILD)/librod.a
	$(call quietly,LD )$(CXX) $(CXXFLAGS) $^ -lcmocka $(ld_libraries) -o $@

# rodbench with AVX-512 translated to AVX2 by SIMDe, so that a machine without it can verify the
# sixteen lanes. For the tests only: wider than the machine's vectors, it is slow.
emulated := $(filter-out %/kernels/registry.o %.avx512.o,$(bench_objects) $(lib_objects)) \
	$(patsubst %,$(BUILD)/%.avx512_emulated.o,$(methods:%=kernels/%) \
		$(chunked) bench/peak_isa kernels/registry)
$(BUILD)/kernels/%.avx512_emulated.o $(BUILD)/bench/%.avx512_emulated.o: \
	as_isa = -DROD_ISA=avx512 -DROD_VEC_HEADER='"vec/avx512.h"' $(flags_avx512_emulated) \
		-DROD_EMULATED_AVX512=1

$(BUILD)/tests/rodbench-avx512-emulated: $(emulated)
	$(call quietly,LD )$(CXX) $(CXXFLAGS) $^ $(ld_libraries) -o $@

# The README's example, compiled as a user would.
$(BUILD)/tests/client.c: README.md
	@mkdir -p $(@D)
	@awk '/^```c$$/ { on = 1; next } /^```$$/ { on = 0 } on' $< > $@

$(BUILD)/tests/client: $(BUILD)/tests/client.c $(BUILD)/librod.a
	$(call quietly,CC )$(CC) -std=c17 $(CFLAGS) -Wall -Wextra -Wpedantic -Werror -Isoa $< $(BUILD)/librod.a -fopenmp -lm -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
