#!/usr/bin/env python3
"""Tables from results.json. Ratios are per round against the derive floor of the same size and verb."""
import json, sys, statistics as st
R = {}
for f in sys.argv[1:]: R.update(json.load(open(f)))
P = ['ours', 'floor', 'floorreg', 'rmcp', 'rig', 'toolsrs', 'adk', 'literal', 'lean']
P += sorted({k.split('/')[1] for k in R} - set(P))
P = [p for p in P if any(k.split('/')[1] == p for k in R)]
def cell(k, b):
    if k not in R: return '-'
    w = [x[0] for x in R[k]]; c = [x[1] for x in R[k]]
    rat = [x[1] / y[1] for x, y in zip(R[k], R.get(b, []))]
    return f'{st.median(c):.2f} ({min(c):.2f}..{max(c):.2f}) / {st.median(w):.2f} / **{st.median(rat):.2f}x**' if rat else f'{st.median(c):.2f}'
print('### one crate, no incremental state: CPU s median (min..max) / wall s median / ratio of CPU to the derive floor\n')
print('| verb, tools | ' + ' | '.join(P) + ' |\n|---' * 1 + '|---' * len(P) + '|')
for verb in ('check', 'build', 'incr-check', 'incr-build'):
    for n in (1, 100, 300):
        if any(f'{verb}/{p}/{n}' in R for p in P):
            print(f'| {verb}, {n} | ' + ' | '.join(cell(f'{verb}/{p}/{n}', f'{verb}/floor/{n}') for p in P) + ' |')
print('\n### CPU ms per tool (slope 1 -> 300)\n\n| verb | ' + ' | '.join(P) + ' |\n|---' + '|---' * len(P) + '|')
for verb in ('check', 'build'):
    m = lambda p, n: st.median(x[1] for x in R[f'{verb}/{p}/{n}'])
    def slope(p):
        ks = [n for n in (300, 100) if f'{verb}/{p}/{n}' in R]
        return f'{(m(p, ks[0]) - m(p, 1)) / (ks[0] - 1) * 1e3:.2f}' if ks and f'{verb}/{p}/1' in R else '-'
    print(f'| {verb} | ' + ' | '.join(slope(p) for p in P) + ' |')
print('\n### expansion, binaries, dependencies\n\n| | ' + ' | '.join(P) + ' |\n|---' + '|---' * len(P) + '|')
def row(name, f):
    o = []
    for p in P:
        try: o.append(str(f(p)))
        except KeyError: o.append('-')
    print(f'| {name} | ' + ' | '.join(o) + ' |')
row('source lines, 300 tools', lambda p: R[f'expand/{p}/300'][2])
row('expanded lines, 1 / 100 / 300 tools', lambda p: ' / '.join(str(R[f'expand/{p}/{n}'][0]) for n in (1, 100, 300)))
row('expanded lines per tool', lambda p: f"{(R[f'expand/{p}/300'][0] - R[f'expand/{p}/1'][0]) / 299:.0f}")
row('expanded bytes per tool', lambda p: f"{(R[f'expand/{p}/300'][1] - R[f'expand/{p}/1'][1]) / 299:.0f}")
row('dev binary MB, 1 / 100 / 300 tools', lambda p: ' / '.join(f"{R[f'size/{p}/{n}'][0] / 1e6:.1f}" for n in (1, 100, 300)))
row('dev binary stripped MB, 1 / 100 / 300', lambda p: ' / '.join(f"{R[f'size/{p}/{n}'][1] / 1e6:.2f}" for n in (1, 100, 300)))
row('dev stripped KB per tool', lambda p: f"{(R[f'size/{p}/300'][1] - R[f'size/{p}/1'][1]) / 299 / 1e3:.1f}")
row('release stripped MB, 1 / 300', lambda p: ' / '.join(f"{R[f'release/{p}/{n}'][2] / 1e6:.2f}" for n in (1, 300)))
row('release KB per tool', lambda p: f"{(R[f'release/{p}/300'][2] - R[f'release/{p}/1'][2]) / 299 / 1e3:.1f}")
row('release build of the 300-tool crate, CPU s', lambda p: R[f'release/{p}/300'][1])
row('dependency crates (no dev)', lambda p: R[f'crates/{p}'])
row('clean dev build with dependencies, CPU s (wall s, noisy)', lambda p: f"{min(x[1] for x in R[f'deps/{p}']):.1f} ({min(x[0] for x in R[f'deps/{p}']):.0f})")
