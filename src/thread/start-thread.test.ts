import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startThread } from './start-thread.ts';

test.each(['match', 'chart'] as const)(
  'the thread %s starts, and ends when it is terminated',
  async (name) => {
    const thread = startThread(name);
    await once(thread, 'online');
    expect(await thread.terminate()).toBe(1);
  },
);
