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
  ['', { problem: 'repository' }],
  ['Logtool:1', { problem: 'repository' }],
  ['ghcr.io/', { problem: 'repository' }],
  ['ghcr.io//logtool', { problem: 'repository' }],
  ['a b', { problem: 'repository' }],
  ['https://ghcr.io/logtool', { problem: 'registry', registry: 'https:' }],
  ['logtool:', { problem: 'tag' }],
  ['logtool:-dev', { problem: 'tag' }],
  [`logtool:${'x'.repeat(129)}`, { problem: 'tag' }],
  ['logtool@sha256:abc', { problem: 'digest' }],
  [`logtool@${DIGEST}@${DIGEST}`, { problem: 'second-digest' }],
  [`logtool@${DIGEST.toUpperCase()}`, { problem: 'digest' }],
  ['-ghcr.io/logtool', { problem: 'registry', registry: '-ghcr.io' }],
  ['ghcr.io:port/logtool', { problem: 'registry', registry: 'ghcr.io:port' }],
  [`ghcr.io/${'x'.repeat(256)}`, { problem: 'name-too-long', limit: 255 }],
  ['a'.repeat(64), { problem: 'image-id' }],
])('refuses %s and says why', (text, fault) => {
  expect(parseImageReference(text)).toEqual(fault);
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
