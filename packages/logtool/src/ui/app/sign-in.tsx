import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../../contract/client.ts';
import type { WireError } from '../../contract/error.ts';
import { messageOf } from '../messages/message-of.ts';
import { sentence } from '../messages/sentence.ts';
import { useApp } from '../shell/app-context.ts';
import { ErrorText } from './chrome/error-text.tsx';
import './sign-in.css';
import { pageError } from '../messages/page.ts';

/** Limit of the contract; Kubernetes tokens are far shorter. */
const MAX_TOKEN_CHARS = 16_384;

/** How users sign in, if the server wrote it into the page. */
type Auth = 'token' | 'kubernetes' | undefined;

interface SignInProps {
  /** Why there is no session, or why it ended. */
  readonly error: ApiError;
}

/** Shown if the server does not know this browser, or no longer does. */
export function SignIn({ error }: SignInProps) {
  const queries = useQueryClient();
  // Clears everything that one user could read, before the next one signs in.
  useEffect(() => queries.clear(), [queries]);
  return <SignInForm why={error.error} auth={readAuth()} />;
}

function readAuth(): Auth {
  const value = document.querySelector<HTMLMetaElement>('meta[name="logtool-auth"]')?.content;
  return value === 'token' || value === 'kubernetes' ? value : undefined;
}

function SignInForm({ why, auth }: { readonly why: WireError; readonly auth: Auth }) {
  const [token, setToken] = useState('');
  const { error, isBusy, signIn } = useSigningIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn(token);
  };
  return (
    <main className="sheet sign-in">
      <div className="brand" aria-hidden="true">
        <i />
        <span>logtool</span>
      </div>
      <h1>Sign in</h1>
      <p className="why">{reasonOf(why)}</p>
      <p>{EXPLAIN[auth ?? 'any']}</p>
      <form onSubmit={submit} noValidate>
        <label htmlFor="token">{auth === 'kubernetes' ? 'Kubernetes token' : 'Token'}</label>
        <input
          id="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the one thing to do on this page
          autoFocus
          value={token}
          onChange={(event) => setToken(event.target.value)}
          aria-invalid={error !== undefined}
          aria-describedby="token-hint token-error"
        />
        {auth === 'token' ? null : (
          <p id="token-hint" className="hint">
            <code>kubectl create token ACCOUNT --namespace NAMESPACE</code> prints a token for a service
            account.
          </p>
        )}
        <div id="token-error" role="alert" className="form-error">
          {error === undefined ? null : <ErrorText error={error} />}
        </div>
        <button type="submit" className="button primary" disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}

interface SigningIn {
  /** Why the last attempt failed. */
  readonly error: WireError | undefined;
  readonly isBusy: boolean;
  readonly signIn: (token: string) => void;
}

function useSigningIn(): SigningIn {
  const { api, session } = useApp();
  const [error, setError] = useState<WireError | undefined>();
  const [isBusy, setBusy] = useState(false);
  const signIn = (token: string) => {
    const problem = problemOf(token);
    setError(problem);
    if (problem !== undefined) return;
    setBusy(true);
    api
      .ask('POST /sign-in', { body: { token: token.trim() } })
      .then(
        (answer) => session.signedIn(answer.token),
        (failure: unknown) => {
          if (!(failure instanceof ApiError)) throw failure;
          setError(failure.error);
        },
      )
      .finally(() => setBusy(false));
  };
  return { error, isBusy, signIn };
}

const EXPLAIN: Readonly<Record<'token' | 'kubernetes' | 'any', string>> = {
  token: 'Open the address that logtool printed at startup, or paste its token here.',
  kubernetes:
    'Paste your token for this cluster. You see only what it may read. This browser keeps it in an encrypted cookie until you sign out or it expires.',
  any: 'Open the address that logtool printed at startup, or paste its token here. If logtool runs in a cluster, paste your Kubernetes token: you see only what it may read.',
};

/** Finds mistakes that need no request to the server. */
function problemOf(text: string): WireError | undefined {
  const token = text.trim();
  if (token === '') return pageError('token-empty', {});
  if (token.length > MAX_TOKEN_CHARS) return pageError('token-too-long', {});
  if (/\s/.test(token)) return pageError('token-has-spaces', {});
  return undefined;
}

function reasonOf(error: WireError): string {
  if (error.code === 'not-signed-in') return 'Sign in to use this dashboard.';
  return `${sentence(messageOf(error).what)}.`;
}
