#!/usr/bin/python3
"""coverage.py [--least PERCENT] BUILD FOLDER...

Line coverage from gcov of the sources in these folders, after a build with --coverage has run its
tests. A line that was compiled several times, once for each instruction set or wherever a header is
included, is covered if it ran in one of them. Exit code 1 if a folder's share is below PERCENT.
"""
import argparse
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile


def data_files(build):
    for folder, _, names in os.walk(build):
        for name in names:
            if name.endswith('.gcda'):
                yield os.path.abspath(os.path.join(folder, name))


def gather(build, folders):
    """Of each source line that holds code: how often it ran, over all objects."""
    root = os.getcwd() + os.sep
    runs = collections.defaultdict(dict)
    with tempfile.TemporaryDirectory() as work:
        for path in data_files(build):
            subprocess.run(['gcov', '--json-format', path], cwd=work, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for name in os.listdir(work):
                with gzip.open(os.path.join(work, name)) as file:
                    report = json.load(file)
                os.remove(os.path.join(work, name))
                for source in report['files']:
                    file = source['file'].removeprefix(root)
                    if file.split('/')[0] not in folders:
                        continue
                    for line in source['lines']:
                        number = line['line_number']
                        runs[file][number] = runs[file].get(number, 0) + line['count']
    return runs


def ranges(numbers):
    """5 6 7 9 as 5-7 9"""
    parts = []
    for n in numbers:
        if parts and n == parts[-1][1] + 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ' '.join(f'{a}' if a == b else f'{a}-{b}' for a, b in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--least', type=float, default=0.0)
    parser.add_argument('build')
    parser.add_argument('folders', nargs='+')
    given = parser.parse_args()
    runs = gather(given.build, given.folders)
    low = False
    for folder in given.folders:
        files = sorted(f for f in runs if f.split('/')[0] == folder)
        lines = sum(len(runs[f]) for f in files)
        covered = sum(1 for f in files for count in runs[f].values() if count > 0)
        for f in files:
            missed = sorted(n for n, count in runs[f].items() if count == 0)
            share = 100.0 * (len(runs[f]) - len(missed)) / len(runs[f])
            print(f'  {f:36} {share:6.1f} %' + (f'   not run: {ranges(missed)}' if missed else ''))
        if lines == 0:
            sys.exit(f'coverage: no data of {folder}/ in {given.build}')
        share = 100.0 * covered / lines
        low = low or share < given.least
        print(f'coverage of {folder}/: {share:.1f} % of {lines} lines'
              + (f', below {given.least:g} %' if share < given.least else ''))
    return 1 if low else 0


if __name__ == '__main__':
    sys.exit(main())
