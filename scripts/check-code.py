#!/usr/bin/python3
"""check-code.py baseline|neon [--objdump PROGRAM] OBJECT...

What compilers made of the sources, read from the disassembly of object files.

baseline  x86: no instruction is encoded with VEX or EVEX, but in objects of an instruction set that
          has them (*.avx2.o, *.avx512.o). Those share no symbol with others: a linker that met a
          function of the same name in two objects would keep one of them for all CPUs.
neon      aarch64: the innermost loops of the kernels hold fused multiply-adds on four lanes, no
          multiply-adds of single floats, and no calls but for the few elements at a rod's ends
          (element_one, joint_one; sweep.h), which call nothing themselves, and for predict_again,
          at most once in a frame (quaternion.c).
"""
import argparse
import collections
import os
import re
import subprocess
import sys

Instruction = collections.namedtuple('Instruction', 'address code name operands')

WIDE = ('avx2', 'avx512')
PREFIXES = {'26', '2e', '36', '3e', '64', '65', '66', '67', 'f0', 'f2', 'f3'}
HOT = 8  # fused multiply-adds: a loop with fewer copies or lays out


def functions(objdump, path):
    """Yields name and instructions of each function."""
    run = subprocess.run([objdump, '-dr', '--wide', path], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f'check-code: {objdump}: {run.stderr.strip()}')
    name, code = None, []
    for line in run.stdout.splitlines():
        head = re.match(r'[0-9a-f]+ <(.*)>:$', line)
        if head:
            if name:
                yield name, code
            name, code = head[1], []
            continue
        part = line.split('\t')
        if 'R_' in line and code:  # what an address is of that only the linker knows
            code[-1] = code[-1]._replace(operands=f'{code[-1].name} <{part[-1].strip()}>')
        elif len(part) >= 3:
            code.append(Instruction(int(part[0].strip(' :'), 16), part[1].split(),
                                    part[2].split()[0], ' '.join(part[2:])))
    if name:
        yield name, code


def isa_of(path):
    """The instruction set in the name of an object, if any: quaternion.avx2.o"""
    part = os.path.basename(path).split('.')
    return part[-2] if len(part) > 2 else ''


# ---------------------------------------------------------------- baseline


def is_vex(code):
    for byte in code:
        if byte in PREFIXES:
            continue
        return byte in ('c4', 'c5', '62')
    return False


def shared_symbols(path, isa):
    """Defined symbols that other objects could define, too."""
    run = subprocess.run(['nm', '--defined-only', '--extern-only', path], capture_output=True,
                         text=True, check=True)
    return [f'{path}: {line.split()[-1]} ({line.split()[-2]}) is no symbol of {isa} alone'
            for line in run.stdout.splitlines()
            if line and not (line.split()[-2] in 'TRDB' and isa in line.split()[-1])]


def check_baseline(objdump, paths):
    troubles, old, wide = [], 0, 0
    for path in paths:
        isa = isa_of(path)
        if isa.startswith(WIDE):
            wide += 1
            troubles += shared_symbols(path, isa)
            continue
        old += 1
        for name, code in functions(objdump, path):
            found = [i for i in code if is_vex(i.code)]
            if found:
                troubles.append(f'{path}: {name}: {len(found)} with VEX or EVEX, first: '
                                f'{found[0].operands}')
    if wide == 0 or old == 0:
        troubles.append('no objects of both kinds: nothing was compared')
    return troubles, f'{old} objects without VEX and EVEX, {wide} with symbols of their own'


# ---------------------------------------------------------------- neon

CALL = r'^blr?\s'
# Projections at the ends of a rod, and whole parts of a sweep: they call nothing themselves.
OUT_OF_LINE = r'((element|joint)_one_|(uniform_)?FLOWS_)'
CALL_OUT_OF_LINE = r'^bl\s.*<(' + OUT_OF_LINE + r'|predict_again)[\w.]*>$'
BRANCHES = re.compile(r'(b(\.\w+)?|cbn?z|tbn?z)$')


def innermost_loops(code):
    """Of each backward branch within the function, from its target to it."""
    place = {i.address: n for n, i in enumerate(code)}
    loops = []
    for n, i in enumerate(code):
        target = re.search(r'\b([0-9a-f]+) <', i.operands)
        if BRANCHES.match(i.name) and target and int(target[1], 16) <= i.address:
            start = place.get(int(target[1], 16))
            if start is not None:
                loops.append((start, n))
    return [code[a:b + 1] for a, b in loops
            if not any(a <= c and d <= b and (a, b) != (c, d) for c, d in loops)]


def count(code, pattern):
    return sum(1 for i in code if re.search(pattern, i.operands))


def check_neon(objdump, paths):
    troubles, hot = [], 0
    for path in paths:
        own = 0
        for name, code in functions(objdump, path):
            if re.match(OUT_OF_LINE, name) and count(code, CALL):
                troubles.append(f'{path}: {name} calls')
            for loop in innermost_loops(code):
                fused = count(loop, r'^fml[as]\s.*\.4s')
                if fused < HOT:
                    continue
                own += 1
                where = f'{path}: {name}: the loop at {loop[0].address:x}'
                if count(loop, CALL) > count(loop, CALL_OUT_OF_LINE):
                    troubles.append(f'{where} calls')
                if count(loop, r'^fn?m(add|sub)\s'):
                    troubles.append(f'{where} has multiply-adds of single floats')
        if own == 0:
            troubles.append(f'{path}: no loop with {HOT} or more fused multiply-adds on .4s')
        hot += own
    return troubles, f'{hot} hot loops of {len(paths)} objects with fmla on .4s and without calls'


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=('baseline', 'neon'))
    parser.add_argument('--objdump', default='objdump')
    parser.add_argument('objects', nargs='+')
    given = parser.parse_args()
    check = check_baseline if given.what == 'baseline' else check_neon
    troubles, summary = check(given.objdump, given.objects)
    for trouble in troubles:
        print(f'check-code: {trouble}', file=sys.stderr)
    print(f'check-code: {given.what}: {"FAILED" if troubles else summary}')
    return 1 if troubles else 0


if __name__ == '__main__':
    sys.exit(main())
