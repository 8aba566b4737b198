import { expect, it } from 'vitest';
import { parseImageReference, registryOf } from './image-reference.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

it.each([
  ['logtool', '', 'logtool', undefined, undefined],
  ['logtool:dev', '', 'logtool', 'dev', undefined],
  ['team/logtool:1.0', '', 'team/logtool', '1.0', undefined],
  ['ghcr.io/logtool/logtool', 'ghcr.io', 'logtool/logtool', undefined, undefined],
  ['ghcr.io/logtool/logtool:0.2.0', 'ghcr.io', 'logtool/logtool', '0.2.0', undefined],
  ['localhost/logtool', 'localhost', 'logtool', undefined, undefined],
  ['localhost:5000/a/b__c/d-e.f:v1_2.3-rc', 'localhost:5000', 'a/b__c/d-e.f', 'v1_2.3-rc', undefined],
  ['registry:5000/logtool', 'registry:5000', 'logtool', undefined, undefined],
  ['[fd00::1]:5000/logtool:1', '[fd00::1]:5000', 'logtool', '1', undefined],
  ['Registry/logtool', 'Registry', 'logtool', undefined, undefined],
  [`r.lan/logtool@${DIGEST}`, 'r.lan', 'logtool', undefined, DIGEST],
  [`r.lan:443/logtool:1.0@${DIGEST}`, 'r.lan:443', 'logtool', '1.0', DIGEST],
])('reads %s', (text, registry, repository, tag, digest) => {
  expect(parseImageReference(text)).toEqual({ registry, repository, tag, digest });
});

it.each([
  ['', /lower-case/],
  ['Logtool:1', /lower-case/],
  ['ghcr.io/', /lower-case/],
  ['ghcr.io//logtool', /lower-case/],
  ['a b', /lower-case/],
  ['https://ghcr.io/logtool', /lower-case|registry/],
  ['logtool:', /tag/],
  ['logtool:-dev', /tag/],
  [`logtool:${'x'.repeat(129)}`, /tag/],
  ['logtool@sha256:abc', /digest/],
  [`logtool@${DIGEST}@${DIGEST}`, /more than one @/],
  [`logtool@${DIGEST.toUpperCase()}`, /digest/],
  ['-ghcr.io/logtool', /registry/],
  ['ghcr.io:port/logtool', /registry/],
  [`ghcr.io/${'x'.repeat(256)}`, /255/],
  ['a'.repeat(64), /ID of an image/],
])('refuses %s and says why', (text, problem) => {
  expect(parseImageReference(text)).toEqual({ problem: expect.stringMatching(problem) });
});

it('is quick with what was made to be slow', () => {
  expect(parseImageReference(`${'a-'.repeat(100_000)}!`)).toHaveProperty('problem');
  expect(parseImageReference(`${'a'.repeat(120)}${'.a'.repeat(60)}!/x`)).toHaveProperty('problem');
});

it('knows which registry a node asks', () => {
  expect(registryOf('logtool:dev')).toBe('docker.io');
  expect(registryOf('ghcr.io/logtool/logtool:0.2.0')).toBe('ghcr.io');
  expect(registryOf('Not An Image')).toBeUndefined();
});
