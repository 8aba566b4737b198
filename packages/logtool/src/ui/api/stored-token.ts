import { PAGE_TOKEN_FRAGMENT } from '../../contract/page-key.ts';
import { askToken } from './ask-token.ts';

/** The page token of a browser that is signed in: all tabs of this origin have it, and no other port of the host. */
export interface StoredToken {
  read(): string | undefined;
  write(token: string): void;
  clear(): void;
  /** Receives a token that another tab has stored. */
  subscribe(listener: () => void): void;
}

/** Keeps it in the browser's storage; where that is forbidden, in this page only, until it is loaded again. */
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
        // Storage is forbidden: there is nothing in it.
      }
    },

    subscribe(listener) {
      addEventListener('storage', (event) => {
        if (event.key === key && event.newValue !== null) listener();
      });
    },
  };
}

/** Takes the token that a sign-in left in the address out of it; undefined if there is none. */
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
 * Keeps the token of an address. Anyone can make a link with a token: in place of another one, which all tabs use, it
 * is kept only if the server takes it.
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
