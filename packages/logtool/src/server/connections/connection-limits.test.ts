import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import {
  addressKey,
  ConnectionLimits,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_OF_PERSON,
  MAX_REQUESTS_AT_ONCE,
  MAX_UNKNOWN,
  MAX_UNKNOWN_OF_ADDRESS,
} from './connection-limits.ts';

class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  /** Reports the close later, like a real socket. */
  destroy(): void {
    this.destroyed = true;
    queueMicrotask(() => this.emit('close'));
  }
}

function connect(limits: ConnectionLimits, address: string, count = 1) {
  return Array.from({ length: count }, () => {
    const socket = new FakeSocket(address);
    return { socket, connection: limits.of(socket) };
  });
}

const openOf = (sockets: readonly { readonly socket: FakeSocket }[]) =>
  sockets.filter(({ socket }) => !socket.destroyed).length;

test('an address that opens too many connections loses its oldest ones, and others none', () => {
  const limits = new ConnectionLimits((run) => run());
  const good = connect(limits, '203.0.113.1');
  const bad = connect(limits, '203.0.113.66', 3_000);
  expect(openOf(bad)).toBe(MAX_UNKNOWN_OF_ADDRESS);
  expect(bad.at(-1)?.socket.destroyed).toBe(false);
  expect(openOf(good)).toBe(1);
  expect(limits.count).toBe(MAX_UNKNOWN_OF_ADDRESS + 1);
});

test('many addresses together lose the oldest of the one that has most', () => {
  const limits = new ConnectionLimits((run) => run());
  const good = connect(limits, '203.0.113.1', 3);
  const bad = Array.from({ length: 20 }, (_, host) => connect(limits, `198.51.100.${host}`, 50));
  expect(openOf(good)).toBe(3);
  expect(openOf(bad.flat())).toBe(MAX_UNKNOWN - 3);
  expect(limits.count).toBe(MAX_UNKNOWN);
});

test('connections of people who are signed in count as theirs: a proxy full of good people is not closed', () => {
  const limits = new ConnectionLimits((run) => run());
  const people = Array.from({ length: 10 }, (_, number) => {
    const opened = connect(limits, '10.0.0.1', 100);
    for (const { connection } of opened) connection.vouch(`user ${number}`);
    return opened;
  });
  connect(limits, '10.0.0.1', 1_000);
  expect(openOf(people.flat())).toBe(1_000);
});

test('a person with too many connections loses the oldest that answers nothing', () => {
  const limits = new ConnectionLimits((run) => run());
  const opened = connect(limits, '10.0.0.1', MAX_CONNECTIONS_OF_PERSON);
  for (const { connection } of opened) connection.vouch('user ann');
  const end = opened[0]?.connection.serve(() => true);
  // This request never arrives completely.
  opened[1]?.connection.serve(() => false);
  const more = connect(limits, '10.0.0.1', 2);
  more[0]?.connection.vouch('user ann');
  expect(opened.slice(0, 3).map(({ socket }) => socket.destroyed)).toEqual([false, true, false]);
  end?.();
  more[1]?.connection.vouch('user ann');
  expect(opened.slice(0, 3).map(({ socket }) => socket.destroyed)).toEqual([true, true, false]);
  expect(openOf(more)).toBe(2);
});

/** Opens connections on which answers to that person never end. */
function stall(limits: ConnectionLimits, person: string, count: number) {
  const opened = connect(limits, '10.0.0.1', count);
  for (const { connection } of opened) {
    connection.vouch(person);
    connection.serve(() => true);
  }
  return opened;
}

test('a person whose connections all answer gets no more than the limit: the new one closes', () => {
  const limits = new ConnectionLimits((run) => run());
  const opened = stall(limits, 'user ann', MAX_CONNECTIONS_OF_PERSON);
  const more = stall(limits, 'user ann', 10);
  expect([openOf(opened), openOf(more)]).toEqual([MAX_CONNECTIONS_OF_PERSON, 0]);
  expect(limits.count).toBe(MAX_CONNECTIONS_OF_PERSON);
});

test('people who keep all connections busy make room for a newcomer', () => {
  const limits = new ConnectionLimits((run) => run());
  const greedy = Array.from({ length: MAX_CONNECTIONS / MAX_CONNECTIONS_OF_PERSON }, (_, number) =>
    stall(limits, `user ${number}`, MAX_CONNECTIONS_OF_PERSON),
  );
  const [next] = stall(limits, 'user ann', 1);
  expect(next?.socket.destroyed).toBe(false);
  expect([openOf(greedy.flat()), limits.count]).toEqual([MAX_CONNECTIONS - 1, MAX_CONNECTIONS]);
});

test('what answers a person who holds few is not closed for connections without a session', () => {
  const limits = new ConnectionLimits((run) => run());
  const people = Array.from({ length: 200 }, (_, number) => stall(limits, `user ${number}`, 10));
  const unknown = connect(limits, '203.0.113.66', 200);
  expect(openOf(people.flat())).toBe(2_000);
  expect([openOf(unknown), limits.count]).toEqual([MAX_CONNECTIONS - 2_000, MAX_CONNECTIONS]);
});

test('when all connections are taken, the largest holder makes room for the next one', () => {
  const limits = new ConnectionLimits((run) => run());
  const people = MAX_CONNECTIONS / MAX_CONNECTIONS_OF_PERSON;
  const open = (person: string, count: number) => {
    const opened = connect(limits, '10.0.0.1', count);
    for (const { connection } of opened) connection.vouch(person);
    return opened;
  };
  for (let person = 0; person < people - 1; person++) open(`user ${person}`, MAX_CONNECTIONS_OF_PERSON);
  const bobs = open('user bob', 100);
  open('user cyd', MAX_CONNECTIONS_OF_PERSON - 100);
  const next = connect(limits, '10.0.0.3', 100);
  expect(limits.count).toBe(MAX_CONNECTIONS);
  expect(openOf(bobs)).toBe(100);
  expect(openOf(next)).toBe(100);
});

test('a connection that sends requests without waiting for answers is closed', () => {
  const limits = new ConnectionLimits((run) => run());
  const [opened] = connect(limits, '10.0.0.1');
  const serve = () => opened?.connection.serve(() => true);
  for (let round = 0; round < 10; round++) {
    const ends = Array.from({ length: MAX_REQUESTS_AT_ONCE }, serve);
    for (const end of ends) end?.();
  }
  expect(opened?.socket.destroyed).toBe(false);
  const served = Array.from({ length: 100 }, serve).filter((end) => end !== undefined);
  expect(served).toHaveLength(MAX_REQUESTS_AT_ONCE);
  expect([opened?.socket.destroyed, limits.count]).toEqual([true, 0]);
});

test('of a burst, what sent its request is answered, and what sent only a part of one goes', () => {
  let trim = () => {};
  const limits = new ConnectionLimits((run) => {
    trim = run;
  });
  const good = connect(limits, '10.0.0.1', 5);
  const bad = connect(limits, '10.0.0.1', 511);
  for (const { connection } of good) connection.serve(() => true);
  for (const { connection } of bad) connection.serve(() => false);
  trim();
  expect([openOf(good), openOf(bad)]).toEqual([5, MAX_UNKNOWN_OF_ADDRESS - 5]);
});

test('connections that come and go leave nothing', async () => {
  const limits = new ConnectionLimits((run) => run());
  for (const { socket, connection } of connect(limits, '10.0.0.1', 100)) {
    connection.vouch('user ann');
    connection.vouch('user bob');
    expect(limits.of(socket)).toBe(connection);
    socket.destroy();
    connection.vouch('user cyd');
  }
  await Promise.resolve();
  const [late] = connect(new ConnectionLimits(), '10.0.0.1');
  late?.socket.destroy();
  if (late !== undefined) limits.of(late.socket).vouch('user ann');
  expect(limits.count).toBe(0);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1:2%eth0', 'fe80:0:0:0::/64'],
  [undefined, ''],
])('an address is counted by itself or by its network: %j is %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
