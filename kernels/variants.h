/* The registry: every instruction set and every kernel variant, once. X-macro lists, expanded by
 * registry.c (the table), by each kernel source (its functions) and by the tests. */
#ifndef ROD_VARIANTS_H
#define ROD_VARIANTS_H

/* X(isa, lanes, family, what): `family` is the architecture on which the ISA is native. */
#define ROD_ISAS(X)                                                                                \
    X(scalar, 1, ANY, "plain C")                                                                   \
    X(sse41, 4, X86, "SSE4.1")                                                                     \
    X(avx2, 8, X86, "AVX2 with FMA")                                                               \
    X(avx512, 16, X86, "AVX-512 F, DQ, BW, VL")                                                    \
    X(neon, 4, ARM, "NEON, A64")

/* X(method, isa, unroll, norm, weights): the kernels of a batch, where a lane is a rod.
 * unroll: vectors of rods in flight. norm: rod_norm of vec/algebra.h. weights: `uniform` spends
 * less where neighbours weigh the same, `general` never looks; both run any batch. Bare roots are
 * there to be compared with: to spare every build their time, they have no general sibling, and
 * plain C has none. */
#define ROD_FULL_KERNELS(X, method, isa)                                                           \
    X(method, isa, 1, exact, uniform)                                                              \
    X(method, isa, 1, exact, general)                                                              \
    X(method, isa, 1, newton, uniform)                                                             \
    X(method, isa, 1, newton, general)                                                             \
    X(method, isa, 2, exact, uniform)                                                              \
    X(method, isa, 2, exact, general)                                                              \
    X(method, isa, 2, newton, uniform)                                                             \
    X(method, isa, 2, newton, general)

#define ROD_BATCH_KERNELS(X, method, isa)                                                          \
    ROD_FULL_KERNELS(X, method, isa)                                                               \
    X(method, isa, 1, bare, uniform)                                                               \
    X(method, isa, 2, bare, uniform)

#define ROD_METHOD_KERNELS(X, method)                                                              \
    ROD_FULL_KERNELS(X, method, scalar)                                                            \
    ROD_BATCH_KERNELS(X, method, sse41)                                                            \
    ROD_BATCH_KERNELS(X, method, avx2)                                                             \
    ROD_BATCH_KERNELS(X, method, avx512)                                                           \
    ROD_BATCH_KERNELS(X, method, neon)

#define ROD_ALL_BATCH_KERNELS(X)                                                                   \
    ROD_METHOD_KERNELS(X, quaternion)                                                              \
    ROD_METHOD_KERNELS(X, pber)                                                                    \
    ROD_METHOD_KERNELS(X, pbd)

/* X(method, layout, isa, norm): one rod at a time, array of structures. `textbook` is the paper as
 * printed, in float32; `aos` holds a quaternion in a register, what the paper's authors likely
 * had. */
#define ROD_SINGLE_KERNELS(X)                                                                      \
    X(quaternion, textbook, scalar, exact)                                                         \
    X(quaternion, aos, sse41, newton)                                                              \
    X(pber, textbook, scalar, exact)                                                               \
    X(pbd, textbook, scalar, exact)

/* X(method, isa, norm): one rod at a time, whose elements are spread over the lanes. Lowest
 * latency. */
#define ROD_CHUNKED_KERNELS(X, method, isa)                                                        \
    X(method, isa, exact)                                                                          \
    X(method, isa, newton)

#define ROD_METHOD_CHUNKED_KERNELS(X, method)                                                      \
    ROD_CHUNKED_KERNELS(X, method, sse41)                                                          \
    ROD_CHUNKED_KERNELS(X, method, avx2)                                                           \
    ROD_CHUNKED_KERNELS(X, method, avx512)                                                         \
    ROD_CHUNKED_KERNELS(X, method, neon)

#define ROD_ALL_CHUNKED_KERNELS(X)                                                                 \
    ROD_METHOD_CHUNKED_KERNELS(X, quaternion)                                                      \
    ROD_METHOD_CHUNKED_KERNELS(X, pber)                                                            \
    ROD_METHOD_CHUNKED_KERNELS(X, pbd)

/* Vectors in a row of a chunked block: quaternion rods take two in lockstep, the others take rows
 * in lockstep, of which their three colours leave fewer without an element. */
enum { ROD_CHUNK_VECTORS_quaternion = 2, ROD_CHUNK_VECTORS_pber = 1, ROD_CHUNK_VECTORS_pbd = 1 };

/* The function of a variant. */
#define ROD_BATCH_SYMBOL(method, isa, unroll, norm, weights)                                       \
    rod_##method##_##isa##_u##unroll##_##norm##_##weights
#define ROD_CHUNKED_SYMBOL(method, isa, norm) rod_##method##_chunked_##isa##_##norm
#define ROD_SINGLE_SYMBOL(method, layout, isa, norm) rod_##method##_##layout##_##isa##_##norm

#endif
