import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { HttpSessions, MAX_IDLE_MS } from './http-sessions.ts';

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
} as const;

function post(body: object, session?: string): Request {
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers: { ...HEADERS, ...(session === undefined ? {} : { 'mcp-session-id': session }) },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  });
}

async function begin(sessions: HttpSessions): Promise<string> {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const response = await sessions.fetch(post({ id: 1, method: 'initialize', params }));
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

test('a session ends an hour after its last call, and not before', async () => {
  const clock = new FakeClock();
  const sessions = new HttpSessions(() => new McpServer({ name: 'test', version: '1' }), clock);
  const ping = async () => (await sessions.fetch(post({ id: 2, method: 'ping' }, id))).status;
  const id = await begin(sessions);
  expect([id === '', sessions.size]).toEqual([false, 1]);
  await clock.advance(MAX_IDLE_MS - 1);
  expect(await ping()).toBe(200);
  await clock.advance(MAX_IDLE_MS - 1);
  expect(await ping()).toBe(200);
  await clock.advance(MAX_IDLE_MS);
  expect(sessions.size).toBe(0);
  expect(await ping()).not.toBe(200);
  expect(clock.pending).toBe(0);
});

test('closing ends all sessions and leaves no timer', async () => {
  const clock = new FakeClock();
  const sessions = new HttpSessions(() => new McpServer({ name: 'test', version: '1' }), clock);
  await begin(sessions);
  await begin(sessions);
  expect(sessions.size).toBe(2);
  await sessions.close();
  expect([sessions.size, clock.pending]).toEqual([0, 0]);
});
