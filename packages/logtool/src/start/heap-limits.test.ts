import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeapLimits } from './heap-limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch() {
  const flags: string[] = [];
  const load = vi.fn(() => (flag: string) => void flags.push(flag));
  const resident = { mib: 60 };
  return { limits: new HeapLimits(load, () => resident.mib * 1024 * 1024), load, flags, resident };
}
const LIMITED = ['--semi-space-growth-factor=1', '--heap-growing-percent=15'];
const USUAL = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];

it('limits a run that lasts, and is in the way of none that ends soon', () => {
  const { limits, load, flags } = watch();
  limits.start();
  vi.advanceTimersByTime(59);
  expect(load).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(flags).toEqual(LIMITED);
});

it('takes the limits away while something is compiled, also where that fails', () => {
  const { limits, flags } = watch();
  expect(limits.compiling(() => 'before')).toBe('before');
  expect(flags).toEqual([]);
  limits.start();
  vi.advanceTimersByTime(100);
  const nested = () => limits.compiling(() => limits.compiling(() => [...flags]));
  expect(nested()).toEqual([...LIMITED, ...USUAL]);
  expect(flags).toEqual([...LIMITED, ...USUAL, ...LIMITED]);
  const failing = () => {
    throw new Error('broken');
  };
  expect(() => limits.compiling(failing)).toThrow('broken');
  expect(flags.slice(-2)).toEqual(LIMITED);
});

it('limits a run more that has become large, and not before', () => {
  const { limits, flags, resident } = watch();
  limits.start();
  vi.advanceTimersByTime(10_000);
  expect(flags).toEqual(LIMITED);
  resident.mib = 80;
  vi.advanceTimersByTime(10_000);
  expect(flags).toEqual([...LIMITED, ...LIMITED, '--optimize-for-size']);
  expect(vi.getTimerCount()).toBe(0);
  limits.compiling(() => undefined);
  expect(flags.slice(5)).toEqual([...USUAL, '--no-optimize-for-size', ...LIMITED, '--optimize-for-size']);
});

it.each(['10.2.154', '99.0', 'none'])('sets nothing on a V8 that it does not know: %s', (version) => {
  const { limits, load } = watch();
  limits.start(version);
  vi.runAllTimers();
  expect(load).not.toHaveBeenCalled();
});

it('asks for no more if the amount is unknown', () => {
  const flags: string[] = [];
  const limits = new HeapLimits(
    () => (flag) => void flags.push(flag),
    () => {
      throw new Error('no such file: /proc/self/stat');
    },
  );
  limits.start();
  vi.advanceTimersByTime(1000);
  expect(flags).toEqual(LIMITED);
});
