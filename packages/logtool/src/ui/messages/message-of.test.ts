import { expect, test, vi } from 'vitest';

const LATER = { code: 'of-a-later-server', data: { limit: 3 } };

test('a code without a loaded message is shown as it is, and only a complete page blames the server', async () => {
  // Whether the messages are loaded is a state of the module, which other tests may have changed.
  vi.resetModules();
  const { loadMessages, messageOf } = await import('./message-of.ts');
  const unloaded = {
    what: 'the server reports "of-a-later-server"',
    why: 'the page could not load its message',
  };
  expect(messageOf(LATER)).toEqual(unloaded);
  await loadMessages();
  expect(messageOf(LATER)).toEqual({
    what: 'a newer server reports "of-a-later-server", which this version does not know',
    next: 'Reload the page.',
  });
  expect(messageOf({ code: 'closing', data: undefined }).what).toContain('"closing"');
  expect(messageOf({ code: 'closing', data: {} })).toMatchObject({ what: 'the server is shutting down' });
});
