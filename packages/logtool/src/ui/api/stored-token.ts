import { PAGE_TOKEN_FRAGMENT } from '../../contract/page-key.ts';
import { askToken } from './ask-token.ts';

/**
 * The page token of a signed-in browser. All tabs of this origin share it; other ports of the host do not.
 */
export interface StoredToken {
  read(): string | undefined;
  write(token: string): void;
  clear(): void;
  /** Calls the listener when another tab stores a token. */
  subscribe(listener: () => void): void;
}

/** Keeps the token in the browser's storage; if storage is forbidden, only in this page, until a reload. */
export function storedToken(basePath: string): StoredToken {
  const key = `logtool.page-token${basePath}`;
  let own: string | undefined;
  return {
    read() {
      try {
        return localStorage.getItem(key) ?? own;
      } catch {
        return own;
      }
    },

    write(token) {
      own = token;
      try {
        localStorage.setItem(key, token);
      } catch {
        // Storage is full or forbidden: the user signs in again after a reload.
      }
    },

    clear() {
      own = undefined;
      try {
        localStorage.removeItem(key);
      } catch {
        // Storage is forbidden, so it holds nothing.
      }
    },

    subscribe(listener) {
      addEventListener('storage', (event) => {
        if (event.key === key && event.newValue !== null) listener();
      });
    },
  };
}

/**
 * Removes from the address the token that a sign-in left there, and returns it; undefined if the address has
 * none.
 */
export function takeToken(
  address: Pick<Location, 'hash' | 'pathname' | 'search'>,
  history: Pick<History, 'replaceState'>,
): string | undefined {
  const { hash } = address;
  if (!hash.startsWith(PAGE_TOKEN_FRAGMENT)) return undefined;
  history.replaceState(null, '', address.pathname + address.search);
  return hash.slice(PAGE_TOKEN_FRAGMENT.length) || undefined;
}

/**
 * Keeps the token of an address. Anyone can make a link with a token: such a token replaces the one that all
 * tabs share only if the server accepts it.
 */
export async function keepEntered(
  stored: StoredToken,
  entered: string,
  { basePath, send }: { readonly basePath: string; readonly send: typeof fetch },
): Promise<void> {
  const before = stored.read();
  if (before === entered) return;
  if (before === undefined || (await askToken(send, basePath, entered)).ok) stored.write(entered);
}
