import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoint } from '../../../../../test/support/fuzz/code-point.ts';
import { allowedHosts, isLoopback, parseHost } from './allowed-hosts.ts';

test.each([
  ['localhost', { name: 'localhost', port: undefined }],
  ['LocalHost:7500', { name: 'localhost', port: '7500' }],
  ['logs.example.com.', { name: 'logs.example.com', port: undefined }],
  ['127.0.0.1:80', { name: '127.0.0.1', port: '80' }],
  ['[::1]', { name: '::1', port: undefined }],
  ['[::1]:7500', { name: '::1', port: '7500' }],
  ['', undefined],
  ['::1', undefined],
  ['a b', undefined],
  ['ann@localhost', undefined],
  ['localhost/x', undefined],
  ['localhost:', undefined],
  ['localhost:x', undefined],
  ['localhost:123456', undefined],
  ['.localhost', undefined],
  ['localhost..', undefined],
  ['lоcalhost', undefined],
  ['localhost\u0000', undefined],
])('reads %j', (text, host) => {
  expect(parseHost(text)).toEqual(host);
});

test('no text is read in more than a moment, nor allowed', () => {
  const hosts = allowedHosts('localhost', []);
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 300 }), (text) => {
      if (parseHost(text)?.name !== 'localhost')
        expect(hosts.allowsOrigin({ origin: `http://${text}`, host: 'localhost', scheme: 'http' })).toBe(
          false,
        );
    }),
  );
  expect(parseHost(`${'a.'.repeat(100_000)}!`)).toBeUndefined();
});

test('loopback is the machine itself and nothing that looks like it', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1']) expect(isLoopback(host)).toBe(true);
  for (const host of [
    '0.0.0.0',
    '::',
    '127.0.0.1.example.com',
    '1127.0.0.1',
    'localhost.example',
    '10.0.0.1',
  ])
    expect(isLoopback(host)).toBe(false);
});

describe('an origin', () => {
  const hosts = allowedHosts('10.0.0.7', ['logs.example.com', 'lan.example:8443']);
  test.each([
    ['http://localhost:7500', 'localhost:7500', true],
    ['http://10.0.0.7:7500', '10.0.0.7:7500', true],
    ['http://[::1]:7500', '[::1]:7500', true],
    ['http://localhost', 'localhost:80', true],
    ['http://localhost:80', 'localhost', true],
    ['http://localhost:7501', 'localhost:7500', false],
    ['https://localhost:7500', 'localhost:7500', false],
    ['https://localhost', 'localhost', false],
    ['http://127.0.0.1:7500', 'localhost:7500', false],
    ['https://logs.example.com', 'localhost:7500', true],
    ['http://logs.example.com', 'localhost:7500', true],
    ['http://logs.example.com:3000', 'localhost:7500', false],
    ['http://logs.example.com:3000', 'logs.example.com:7500', false],
    ['https://logs.example.com:3000', 'logs.example.com', false],
    ['http://logs.example.com:7500', 'logs.example.com:7500', true],
    ['https://lan.example:8443', 'localhost:7500', true],
    ['https://lan.example', 'localhost:7500', false],
    ['http://attacker.example', 'attacker.example', false],
    ['http://logs.example.com.attacker.example', 'localhost:7500', false],
    ['http://localhost:7500/path', 'localhost:7500', false],
    ['ftp://localhost:7500', 'localhost:7500', false],
    ['null', 'localhost:7500', false],
    ['', 'localhost:7500', false],
  ])('%j of a page under %j: %j', (origin, host, allowed) => {
    expect(hosts.allowsOrigin({ origin, host, scheme: 'http' })).toBe(allowed);
  });

  test.each([
    ['https://localhost:8443', 'localhost:8443', true],
    ['https://localhost', 'localhost', true],
    ['https://localhost', 'localhost:443', true],
    ['http://localhost', 'localhost', false],
    ['http://localhost:8443', 'localhost:8443', false],
  ])('%j of a page under %j, asked by TLS: %j', (origin, host, allowed) => {
    expect(hosts.allowsOrigin({ origin, host, scheme: 'https' })).toBe(allowed);
  });
});

test('an address of the machine is a host as long as the machine has it; its other names are not', () => {
  let addresses = [{ address: '10.0.0.7' }, { address: 'fe80::42' }];
  const hosts = allowedHosts('0.0.0.0', [], () => addresses);
  for (const host of ['10.0.0.7', '10.0.0.7:7500', '[fe80::42]:7500'])
    expect(hosts.allowsHost(host)).toBe(true);
  for (const host of ['10.0.0.8:7500', '10.0.0.7.example.com', 'my-machine', '[fe80::43]:7500'])
    expect(hosts.allowsHost(host)).toBe(false);
  const asking = { host: '10.0.0.7:7500', scheme: 'http' } as const;
  expect(hosts.allowsOrigin({ ...asking, origin: 'http://10.0.0.7:7500' })).toBe(true);
  expect(hosts.allowsOrigin({ ...asking, origin: 'http://10.0.0.7:8080' })).toBe(false);
  addresses = [{ address: '10.0.0.8' }];
  expect([hosts.allowsHost('10.0.0.7'), hosts.allowsHost('10.0.0.8')]).toEqual([false, true]);
});

test('what is allowed must be a name', () => {
  expect(() => allowedHosts('localhost', ['https://x'])).toThrow(
    expect.objectContaining({ code: 'bad-allowed-host' }),
  );
});
