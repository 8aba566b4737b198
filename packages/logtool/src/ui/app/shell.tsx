import { Outlet } from '@tanstack/react-router';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../../contract/client.ts';
import { useApp } from './app-context.ts';
import './chrome/chrome.css';
import { Late } from './late-part.tsx';
import { KEYS_DIALOG, PALETTE, usePreload } from './late-parts.ts';
import { Notices } from './notices.tsx';
import { type Shell, ShellContext } from './shell-context.ts';
import { SignIn } from './sign-in.tsx';
import { isTyping } from './typing.ts';
import { useContexts } from './use-contexts.ts';
import { useFeeds } from './use-feeds.ts';
import { useInfo } from './use-info.ts';

/** The frame around every page: who is signed in, the palette, the keys, and what is to be said of the server. */
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
  const [open, setOpen] = useState<'palette' | 'keys' | undefined>();
  usePreload();

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setOpen((before) => (before === 'palette' ? undefined : 'palette'));
      } else if (event.key === '?' && !isTyping(event.target)) {
        event.preventDefault();
        setOpen((before) => before ?? 'keys');
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

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
        const ended = new ApiError(401, { code: 'signed-out', what: 'You are signed out' });
        api.ask('signOut', {}).then(
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
