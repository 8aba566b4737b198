import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../contract/client.ts';
import { Session } from './session.ts';
import { keepEntered, storedToken, takeToken } from './stored-token.ts';

let kept: Map<string, string>;
let listeners: ((event: { readonly key: string; readonly newValue: string | null }) => void)[];

beforeEach(() => {
  kept = new Map();
  listeners = [];
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('addEventListener', (_: string, listener: (typeof listeners)[number]) =>
    listeners.push(listener),
  );
});
afterEach(() => vi.unstubAllGlobals());

const ended = new ApiError(401, { code: 'not-signed-in', data: {} });
const refused = () => Promise.resolve(Response.json({ error: ended.error }, { status: 401 }));
/** Loads a page without a token from the server. */
const load = (basePath = '') =>
  new Session({ basePath, token: '', stored: storedToken(basePath), fetch: refused });

test('a page that is loaded again has the token of the sign-in, below its own base path only', () => {
  load().signedIn('mine');
  expect(load().token).toBe('mine');
  expect(load('/logs').token).toBe('');
});

test('other tabs continue with the token of a new sign-in', async () => {
  const other = load();
  other.end(ended);
  expect(other.state.state).toBe('ended');
  load().signedIn('new');
  for (const listener of listeners) listener({ key: 'logtool.page-token', newValue: 'new' });
  expect([other.token, other.state.state]).toEqual(['new', 'good']);
});

test('a refusal of an older token is not the end where another tab has signed in since', async () => {
  const [one, other] = [load(), load()];
  one.signedIn('new');
  expect(await other.renew('')).toBe(true);
  expect([other.token, other.state.state]).toEqual(['new', 'good']);
  expect(await other.renew('new')).toBe(false);
  expect(other.state.state).toBe('ended');
});

test('signing out takes the token away', () => {
  const session = load();
  session.signedIn('mine');
  session.signedOut(ended);
  expect([session.state.state, load().token]).toEqual(['ended', '']);
});

test('a browser that keeps nothing has the token until the page is loaded again', () => {
  const forbidden = () => {
    throw new DOMException('The operation is insecure', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  const session = load();
  session.signedIn('mine');
  expect([session.token, session.state.state, load().token]).toEqual(['mine', 'good', '']);
});

test('the token of an address is taken out of it', () => {
  const at = { pathname: '/console', search: '?ctx=a', hash: '#logtool-page-token=secret' };
  const shown: unknown[] = [];
  const history = {
    // Like a browser, changes the address at once.
    replaceState(...[, , href]: unknown[]) {
      shown.push(href);
      at.hash = '';
    },
  };
  expect(takeToken(at, history)).toBe('secret');
  expect(shown).toEqual(['/console?ctx=a']);
  expect(takeToken(at, history)).toBeUndefined();
  at.hash = '#other';
  expect(takeToken(at, history)).toBeUndefined();
  expect(shown).toHaveLength(1);
});

test.each([
  ['refuses it', 'mine', refused, 'mine'],
  ['cannot be reached', 'mine', () => Promise.reject(new TypeError('offline')), 'mine'],
  ['takes it', 'mine', () => Promise.resolve(Response.json({ token: 'entered' })), 'entered'],
  ['is not asked, for there is none to lose', undefined, refused, 'entered'],
])(
  'the token of an address replaces a stored one only if the server takes it: it %s',
  async (_, before, send, after) => {
    const stored = storedToken('');
    if (before !== undefined) stored.write(before);
    await keepEntered(stored, 'entered', { basePath: '', send });
    expect(stored.read()).toBe(after);
  },
);

test('the server is asked with the token of the address, below its base path', async () => {
  const send = vi.fn(refused);
  const stored = storedToken('/logs');
  stored.write('mine');
  await keepEntered(stored, 'entered', { basePath: '/logs', send });
  expect(send).toHaveBeenCalledExactlyOnceWith(
    '/logs/api/v1/token',
    expect.objectContaining({ headers: { 'x-logtool-token': 'entered' } }),
  );
});
