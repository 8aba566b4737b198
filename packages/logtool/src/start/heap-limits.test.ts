import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeapLimits, v8Engine } from './heap-limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch() {
  const flags: string[] = [];
  const load = vi.fn(() => (flag: string) => void flags.push(flag));
  const resident = { mib: 60 };
  const old = { bytes: 20_000_000 };
  const limits = new HeapLimits({
    load,
    residentBytes: () => resident.mib * 1024 * 1024,
    oldBytes: () => old.bytes,
    collect: () => void flags.push('collected'),
  });
  return { limits, load, flags, resident, old };
}
const LIMITED = ['--semi-space-growth-factor=1', '--heap-growing-percent=15'];
const USUAL = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];

it('limits a run from its start on', () => {
  const { limits, flags } = watch();
  limits.start();
  expect(flags).toEqual(LIMITED);
});

it('changes nothing where it was not started', () => {
  const { limits, flags } = watch();
  expect(limits.compiling(() => 'compiled')).toBe('compiled');
  expect(limits.loadingOfNode(() => 'loaded')).toBe('loaded');
  expect(flags).toEqual([]);
});

it('keeps the limits while code of the program is compiled', () => {
  const { limits, flags } = watch();
  limits.start();
  limits.compiling(() => expect(flags).toEqual(LIMITED));
  expect(flags).toEqual(LIMITED);
});

it("takes the limits away while a module of Node's is loaded, also where that fails", () => {
  const { limits, flags } = watch();
  limits.start();
  limits.loadingOfNode(() => expect(flags).toEqual([...LIMITED, ...USUAL]));
  expect(flags).toEqual([...LIMITED, ...USUAL, ...LIMITED]);
  const failing = () => {
    throw new Error('broken');
  };
  expect(() => limits.loadingOfNode(failing)).toThrow('broken');
  expect(flags.slice(-2)).toEqual(LIMITED);
});

it('limits a run more that has become large, and not before', () => {
  const { limits, flags, resident } = watch();
  limits.start();
  vi.advanceTimersByTime(10_000);
  expect(flags).toEqual(LIMITED);
  resident.mib = 80;
  vi.advanceTimersByTime(10_000);
  expect(flags).toEqual([...LIMITED, '--optimize-for-size']);
  expect(vi.getTimerCount()).toBe(0);
  limits.compiling(() => undefined);
  expect(flags.splice(3)).toEqual(['--no-optimize-for-size', '--optimize-for-size']);
  limits.loadingOfNode(() => undefined);
  expect(flags.splice(3)).toEqual([...USUAL, '--no-optimize-for-size', ...LIMITED, '--optimize-for-size']);
});

it.each(['10.2.154', '99.0', 'none'])('sets nothing on a V8 that it does not know: %s', (version) => {
  const { limits, load } = watch();
  limits.start(version);
  vi.runAllTimers();
  expect(load).not.toHaveBeenCalled();
});

it('asks for no more if the amount is unknown', () => {
  const flags: string[] = [];
  const limits = new HeapLimits({
    load: () => (flag) => void flags.push(flag),
    residentBytes: () => {
      throw new Error('no such file: /proc/self/stat');
    },
    oldBytes: () => 0,
    collect: () => {},
  });
  limits.start();
  vi.advanceTimersByTime(1000);
  expect(flags).toEqual(LIMITED);
});

it('repeats a collection that fell into the loading of a module, once the limits hold again', () => {
  const { limits, flags, old } = watch();
  limits.start();
  limits.loadingOfNode(() => {
    old.bytes += 1_000_000;
  });
  expect(flags).not.toContain('collected');
  limits.loadingOfNode(() => {
    old.bytes -= 4_000_000;
  });
  expect(flags.slice(-3)).toEqual([...LIMITED, 'collected']);
});

it('has less in use of the old generation after a collection, and can ask for one', () => {
  let held: object[] | undefined = Array.from({ length: 200_000 }, (_, n) => ({ n }));
  v8Engine.collect();
  const before = v8Engine.oldBytes();
  expect(held).toHaveLength(200_000);
  held = undefined;
  v8Engine.collect();
  expect(v8Engine.oldBytes()).toBeLessThan(before - 1_000_000);
  expect(globalThis.gc).toBeUndefined();
});
