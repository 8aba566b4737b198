import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import {
  type Dispatch,
  type SetStateAction,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { ApiError } from '../../contract/client.ts';
import type { Info } from '../../contract/cluster.ts';
import { Late } from '../frame/late-component.tsx';
import { pageVisibility } from '../frame/page-visibility.ts';
import { pageStreams } from '../frame/tab-streams.ts';
import { isTyping } from '../frame/typing.ts';
import { WorkloadFeed } from '../home/feed/workload-feed.ts';
import { commandOf } from '../keys/chord.ts';
import { PAGE_KEYS } from '../keys/key-tables.ts';
import { pageError } from '../messages/page.ts';
import { useApp } from '../shell/app-context.ts';
import { type Shell, ShellContext } from '../shell/shell-context.ts';
import { KEYS_DIALOG, PALETTE, usePreload, warmConsole } from './late-components.ts';
import { SignIn } from './sign-in.tsx';
import { useContexts } from './use-contexts.ts';
import './notices.css';

interface InfoState {
  readonly info: Info | undefined;
  /** The server's current version, if it differs from the one that served this page. */
  readonly newVersion: string | undefined;
  check(): void;
}

/** Number of lists to keep while people switch between them; a list that is not shown has no stream. */
const KEPT = 4;

/** The frame around every page: who is signed in, the palette, the keys, and notices about the server. */
export function ShellFrame() {
  const { session } = useApp();
  const state = useSyncExternalStore(session.subscribe, () => session.state);
  if (state.state === 'ended') return <SignIn error={state.error} />;
  return <SignedIn />;
}

function SignedIn() {
  const { api, session } = useApp();
  const { info, newVersion, check: checkVersion } = useInfo();
  const { list, error, check, reload } = useContexts();
  const feed = useFeeds(checkVersion);
  const [open, setOpen] = useState<Open>();
  usePreload();

  usePageKeys(setOpen);

  const shell = useMemo(
    (): Shell => ({
      info,
      contexts: list,
      contextsError: error,
      checkContext: check,
      reloadContexts: reload,
      feed,
      checkVersion,
      warmConsole,
      openPalette: () => setOpen('palette'),
      openKeys: () => setOpen('keys'),
      signOut: () => {
        const ended = new ApiError(401, pageError('signed-out', {}));
        api.ask('POST /sign-out', {}).then(
          () => session.signedOut(ended),
          (failure: unknown) => session.signedOut(failure instanceof ApiError ? failure : ended),
        );
      },
    }),
    [info, list, error, check, reload, feed, checkVersion, api, session],
  );
  const close = () => setOpen(undefined);
  return (
    <ShellContext value={shell}>
      <Notices newVersion={newVersion} />
      <Outlet />
      {open === 'palette' ? <Late component={PALETTE} props={{ onClose: close }} /> : null}
      {open === 'keys' ? <Late component={KEYS_DIALOG} props={{ onClose: close }} /> : null}
    </ShellContext>
  );
}

/** What is open over the page. */
type Open = 'palette' | 'keys' | undefined;

/** Handles the keys that work on every page. */
function usePageKeys(setOpen: Dispatch<SetStateAction<Open>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const command = commandOf(PAGE_KEYS, event);
      switch (command) {
        case 'palette':
          event.preventDefault();
          setOpen((before) => (before === 'palette' ? undefined : 'palette'));
          return;
        case 'keys':
          if (isTyping(event.target)) return;
          event.preventDefault();
          setOpen((before) => before ?? 'keys');
          return;
        // The open dialog handles this key itself.
        case 'close':
        case undefined:
          return;
        default:
          command satisfies never;
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [setOpen]);
}

/** Returns one feed per context and namespaces, so that the palette and the list share a stream. */
function useFeeds(
  onReconnected: () => void,
): (context: string, namespaces: readonly string[]) => WorkloadFeed {
  const { api } = useApp();
  const feeds = useRef(new Map<string, WorkloadFeed>());
  return useCallback(
    (context, namespaces) => {
      const key = JSON.stringify([context, ...namespaces]);
      const known = feeds.current.get(key);
      if (known !== undefined) return known;
      const feed = new WorkloadFeed({
        api,
        context,
        namespaces,
        visibility: pageVisibility,
        hold: (onLeave) => pageStreams().hold(onLeave),
        onReconnected,
      });
      feeds.current.set(key, feed);
      for (const oldest of feeds.current.keys()) {
        if (feeds.current.size <= KEPT) break;
        feeds.current.delete(oldest);
      }
      return feed;
    },
    [api, onReconnected],
  );
}

/** Fetches the server's description when the page opens, and on `check`. */
function useInfo(): InfoState {
  const { api } = useApp();
  const { data, refetch } = useQuery({
    queryKey: ['info'],
    queryFn: ({ signal }) => api.ask('GET /info', { signal }),
  });
  const [first, setFirst] = useState<string | undefined>();
  if (first === undefined && data !== undefined) setFirst(data.version);
  const check = useCallback(() => void refetch(), [refetch]);
  const newVersion =
    data !== undefined && first !== undefined && data.version !== first ? data.version : undefined;
  return { info: data, newVersion, check };
}

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Notices about the server as a whole, in a corner over the page. */
function Notices({ newVersion }: { readonly newVersion: string | undefined }) {
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  // A server on this machine answers even without a network.
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
  return (
    <div className="notices" role="status">
      {newVersion === undefined ? null : (
        <p>
          The server now runs logtool {newVersion}.{' '}
          <button type="button" className="text-button" onClick={() => location.reload()}>
            Reload
          </button>{' '}
          to get its page.
        </p>
      )}
      {isOnline || isLocal ? null : <p>You are offline. The page resumes when the network is back.</p>}
    </div>
  );
}
