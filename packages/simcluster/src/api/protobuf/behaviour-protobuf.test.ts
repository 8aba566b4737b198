import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readProtobuf } from './read.ts';
import { writeProtobuf } from './write.ts';

test('refuses bytes that are no protobuf, or of an unknown kind', () => {
  expect(readProtobuf(Buffer.from('{}'))).toBeUndefined();
  expect(readProtobuf(Buffer.from('k8s\0'))).toBeUndefined();
});

test('a message that ends too early is refused, not read past its end', () => {
  for (const tail of ['\x0a', '\x0a\x7f', '\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff', '\x0b']) {
    const bytes = Buffer.concat([Buffer.from('k8s\0'), Buffer.from(tail, 'latin1')]);
    expect(() => readProtobuf(bytes)).toThrow(expect.objectContaining({ code: 400 }));
  }
});

test('refuses unknown content of a message, and does not drop it', () => {
  const field = (number: number, bytes: Buffer) =>
    Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
  const envelope = (spec: Buffer) =>
    Buffer.concat([
      Buffer.from('k8s\0'),
      field(1, Buffer.concat([field(1, Buffer.from('batch/v1')), field(2, Buffer.from('Job'))])),
      field(2, field(2, spec)),
    ]);
  expect(readProtobuf(envelope(field(9, Buffer.from('Indexed'))))).toEqual({
    apiVersion: 'batch/v1',
    kind: 'Job',
    spec: { completionMode: 'Indexed' },
  });
  const fromTheFuture = Buffer.concat([Buffer.from([0xfa, 0x0f, 1]), Buffer.from('x')]);
  expect(() => readProtobuf(envelope(fromTheFuture))).toThrow(
    expect.objectContaining({
      code: 415,
      message: expect.stringContaining('post the object as JSON or YAML'),
    }),
  );
});

test('a number below zero keeps its sign', () => {
  const minusTwo = Buffer.from([0x08, 0xfe, ...Array(8).fill(0xff), 0x01]);
  const type = Buffer.concat([Buffer.from([0x12, 13]), Buffer.from('DeleteOptions')]);
  const bytes = Buffer.concat([
    Buffer.from('k8s\0'),
    Buffer.from([0x0a, type.length]),
    type,
    Buffer.from([0x12, minusTwo.length]),
    minusTwo,
  ]);
  expect(readProtobuf(bytes)).toMatchObject({ gracePeriodSeconds: -2 });
});

const RECORDED = join(import.meta.dirname, '../../../../../test/recorded/list');

test('what a real server showed as JSON comes through protobuf unchanged', () => {
  let count = 0;
  for (const file of readdirSync(RECORDED)) {
    const { response } = JSON.parse(readFileSync(join(RECORDED, file), 'utf8'));
    if (response.headers['Content-Type'] !== 'application/json' || response.status !== 200) continue;
    let list: { kind: string; apiVersion: string; items?: readonly Record<string, unknown>[] };
    try {
      list = JSON.parse(response.body);
    } catch {
      // The recorder cut it in the middle.
      continue;
    }
    const { kind, apiVersion, items } = list;
    const objects = items?.map((item) => ({ apiVersion, kind: kind.replace(/List$/, ''), ...item })) ?? [
      list,
    ];
    for (const object of objects) {
      if (writeProtobuf(object) === undefined) continue;
      expect(withoutEmpty(readProtobuf(writeProtobuf(object) ?? Buffer.alloc(0)))).toEqual(
        withoutEmpty(object),
      );
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(50);
});

/** Drops empty values. Go omits them from JSON, or writes them, as each type defines. Protobuf treats both the same. */
function withoutEmpty(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) => {
      if (inner === '' || inner === 0 || inner === false || inner === null) return undefined;
      if (typeof inner !== 'object' || Array.isArray(inner)) return inner;
      const kept = Object.entries(inner).filter(
        ([, one]) => JSON.stringify(withoutEmptyLeaf(one)) !== undefined,
      );
      return Object.fromEntries(kept);
    }),
  );
}

function withoutEmptyLeaf(value: unknown): unknown {
  const empty =
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
  return value === null || value === '' || value === 0 || value === false || empty ? undefined : value;
}
