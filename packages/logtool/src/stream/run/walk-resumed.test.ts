import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../domain/container.ts';
import { type LogRecord, makeSource } from '../../domain/record.ts';
import { ResumedPosition } from './resumed-position.ts';

const source = makeSource({ podUid: 'uid', container: 'main' } as ContainerTarget, 'containerd://1');
const line = (seconds: number): LogRecord => ({
  source,
  at: { seconds, nanos: 0 },
  seq: 0,
  message: Buffer.from('line'),
  partial: false,
  late: false,
});

/** A place whose run is read first, and what it told. */
function placeAt(seconds: number) {
  const told: string[] = [];
  const position = new ResumedPosition({
    at: { seconds, nanos: 0 },
    isOf: 'first-run',
    onLost: () => told.push('lost'),
  });
  const admit = (...seconds: number[]) => {
    position.beginResume();
    position.admit(seconds.map(line), () => told.push('gap'));
  };
  return { position, admit, told };
}

test('an answer that begins behind the known line is a gap, told once', () => {
  const { position, admit, told } = placeAt(100);
  admit(140, 141);
  position.beginRun();
  expect(told).toEqual(['gap']);
});

test('an answer that was given back is none: where its run is over without another one, that is told', () => {
  const { position, admit, told } = placeAt(100);
  const before = position.fork();
  admit(140, 141);
  // What was told of it goes with it.
  expect(told.splice(0)).toEqual(['gap']);
  position.restore(before);
  position.beginRun();
  expect(told).toEqual(['lost']);
});

test('a run of which the known line came again is not lost', () => {
  const { position, admit, told } = placeAt(100);
  admit(100, 141);
  position.beginRun();
  expect(told).toEqual([]);
});
