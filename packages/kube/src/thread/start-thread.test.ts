import { once } from 'node:events';
import { expect, test } from 'vitest';
import { compiledScript, startCompiledThread, startThread } from './start-thread.ts';

test.each(['match', 'chart'] as const)(
  'the thread %s starts, and ends when it is terminated',
  async (name) => {
    const thread = startThread(name);
    await once(thread, 'online');
    expect(await thread.terminate()).toBe(1);
  },
);

test('a compiled thread gives its code once, and starts with it the next time', async () => {
  const first = startCompiledThread('match', undefined);
  const script = await compiledScript(first);
  await first.terminate();
  expect(script?.code.length).toBeGreaterThan(0);
  const second = startCompiledThread('match', script);
  expect(await compiledScript(second)).toBeUndefined();
  await second.terminate();
  // This is code of another script. V8 refuses it, which the thread reports first, and the script still runs.
  const other = script && { ...script, code: script.code.slice(0, 40) };
  const third = startCompiledThread('match', other);
  await once(third, 'message');
  expect((await compiledScript(third))?.code.length).toBeGreaterThan(0);
  await third.terminate();
});
