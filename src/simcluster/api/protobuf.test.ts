import { expect, test } from 'vitest';
import { readProtobuf } from './protobuf.ts';

test('bytes that are no protobuf, or of a kind that is not known, are not read', () => {
  expect(readProtobuf(Buffer.from('{}'))).toBeUndefined();
  expect(readProtobuf(Buffer.from('k8s\0'))).toBeUndefined();
});

test('a message that ends too early is refused, not read past its end', () => {
  for (const tail of ['\x0a', '\x0a\x7f', '\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff', '\x0b']) {
    const bytes = Buffer.concat([Buffer.from('k8s\0'), Buffer.from(tail, 'latin1')]);
    expect(() => readProtobuf(bytes)).toThrow(expect.objectContaining({ code: 400 }));
  }
});
