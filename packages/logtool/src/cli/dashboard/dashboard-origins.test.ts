import { expect, test } from 'vitest';
import { originsOf } from './dashboard-origins.ts';

const ADDRESSES = [
  { address: '127.0.0.1', family: 'IPv4', isLoopback: true },
  { address: '::1', family: 'IPv6', isLoopback: true },
  { address: 'fe80::42', family: 'IPv6', isLoopback: false },
  { address: '2001:db8::7', family: 'IPv6', isLoopback: false },
  { address: '10.0.0.7', family: 'IPv4', isLoopback: false },
  { address: '172.17.0.1', family: 'IPv4', isLoopback: false },
] as const;

const originsFor = (host: string, allowedHosts: readonly string[] = [], inCluster = false) =>
  originsOf({ host, allowedHosts, connection: { inCluster } }, 7500, ADDRESSES);

test('on all IPv4 addresses, each address that another machine can reach comes first', () => {
  expect(originsFor('0.0.0.0')).toEqual({
    here: 'http://localhost:7500',
    all: ['http://10.0.0.7:7500', 'http://172.17.0.1:7500', 'http://localhost:7500'],
  });
});

test('on all addresses, those of IPv6 follow, but none that needs a zone', () => {
  expect(originsFor('::').all).toEqual([
    'http://10.0.0.7:7500',
    'http://172.17.0.1:7500',
    'http://[2001:db8::7]:7500',
    'http://localhost:7500',
  ]);
});

test('allowed hosts follow the addresses, with a port of their own or the one that the server has', () => {
  expect(originsFor('0.0.0.0', ['logs.example.com', 'lan.example:8443', '10.0.0.7']).all).toEqual([
    'http://10.0.0.7:7500',
    'http://172.17.0.1:7500',
    'http://logs.example.com:7500',
    'http://lan.example:8443',
    'http://localhost:7500',
  ]);
});

test('on one address, that one is opened here too', () => {
  expect(originsFor('10.0.0.7', ['logs.example.com'])).toEqual({
    here: 'http://10.0.0.7:7500',
    all: ['http://10.0.0.7:7500', 'http://logs.example.com:7500'],
  });
});

test.each([
  ['localhost', 'http://localhost:7500'],
  ['127.0.0.1', 'http://127.0.0.1:7500'],
  ['::1', 'http://[::1]:7500'],
])('on %s, an allowed host is a name of a proxy: only the own address is printed', (host, origin) => {
  expect(originsFor(host, ['logs.example.com'])).toEqual({ here: origin, all: [origin] });
});

test('in a cluster, allowed hosts are names of an Ingress or a Service', () => {
  expect(originsFor('0.0.0.0', ['logs.example.com'], true).all).not.toContain('http://logs.example.com:7500');
});
