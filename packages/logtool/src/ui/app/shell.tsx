import { Outlet } from '@tanstack/react-router';
import {
  type Dispatch,
  type SetStateAction,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { ApiError } from '../../contract/client.ts';
import { commandOf } from '../keys/chord.ts';
import { PAGE_KEYS } from '../keys/key-tables.ts';
import { pageError } from '../messages/page.ts';
import { useApp } from './app-context.ts';
import { Late } from './late-part.tsx';
import { KEYS_DIALOG, PALETTE, usePreload } from './late-parts.ts';
import { Notices } from './notices.tsx';
import { type Shell, ShellContext } from './shell-context.ts';
import { SignIn } from './sign-in.tsx';
import { isTyping } from './typing.ts';
import { useContexts } from './use-contexts.ts';
import { useFeeds } from './use-feeds.ts';
import { useInfo } from './use-info.ts';

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
      {open === 'palette' ? <Late part={PALETTE} props={{ onClose: close }} /> : null}
      {open === 'keys' ? <Late part={KEYS_DIALOG} props={{ onClose: close }} /> : null}
    </ShellContext>
  );
}

/** What is open over the page. */
type Open = 'palette' | 'keys' | undefined;

/** The keys that work on every page. */
function usePageKeys(setOpen: Dispatch<SetStateAction<Open>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      switch (commandOf(PAGE_KEYS, event)) {
        case 'palette':
          event.preventDefault();
          setOpen((before) => (before === 'palette' ? undefined : 'palette'));
          return;
        case 'keys':
          if (isTyping(event.target)) return;
          event.preventDefault();
          setOpen((before) => before ?? 'keys');
          return;
        // What is open has this key for itself.
        case 'close':
        case undefined:
          return;
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [setOpen]);
}
