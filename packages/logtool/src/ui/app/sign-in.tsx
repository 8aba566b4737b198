import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '../../contract/client.ts';
import type { WireError } from '../../contract/error.ts';
import { useApp } from './app-context.ts';
import { ErrorText } from './chrome/error-text.tsx';
import { sentence } from './chrome/sentence.ts';

/** Kubernetes tokens are far shorter; the contract takes no more. */
const LIMIT_CHARS = 16_384;

/** How people sign in, where the server has written it into the page. */
type Auth = 'token' | 'kubernetes' | undefined;

interface SignInProps {
  /** Why there is no session (any more). */
  readonly error: ApiError;
}

/** Shown when the server does not know this browser (any more). */
export function SignIn({ error }: SignInProps) {
  const queries = useQueryClient();
  // Nothing that one person could read is left for the next one.
  useEffect(() => queries.clear(), [queries]);
  return <SignInForm why={error.error} auth={readAuth()} />;
}

function readAuth(): Auth {
  const value = document.querySelector<HTMLMetaElement>('meta[name="logtool-auth"]')?.content;
  return value === 'token' || value === 'kubernetes' ? value : undefined;
}

function SignInForm({ why, auth }: { readonly why: WireError; readonly auth: Auth }) {
  const { api, session } = useApp();
  const [token, setToken] = useState('');
  const [error, setError] = useState<WireError | undefined>();
  const [isBusy, setBusy] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = problemOf(token);
    setError(problem);
    if (problem !== undefined) return;
    setBusy(true);
    api
      .ask('signIn', { body: { token: token.trim() } })
      .then(
        (answer) => session.signedIn(answer.token),
        (failure: unknown) => {
          if (!(failure instanceof ApiError)) throw failure;
          setError(failure.error);
        },
      )
      .finally(() => setBusy(false));
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
            <code>kubectl create token ACCOUNT --namespace NAMESPACE</code> prints one of a service account.
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

const EXPLAIN: Readonly<Record<'token' | 'kubernetes' | 'any', string>> = {
  token: 'Open the address that logtool printed when it was started, or paste its token here.',
  kubernetes:
    'Paste a token of yours for this cluster. You see what it may read, and nothing else. It is kept in an encrypted cookie of this browser until you sign out or it expires.',
  any: 'Open the address that logtool printed when it was started, or paste its token here. Where logtool runs in a cluster, paste a Kubernetes token of yours: you see what it may read, and nothing else.',
};

/** What is wrong with it for sure, before anybody is asked. */
function problemOf(text: string): WireError | undefined {
  const token = text.trim();
  if (token === '') return { code: 'token-empty', what: 'There is no token yet', next: 'Paste one.' };
  if (token.length > LIMIT_CHARS) {
    return { code: 'token-too-long', what: 'This is too long for a token', next: 'Paste only the token.' };
  }
  if (/\s/.test(token)) {
    return {
      code: 'token-has-spaces',
      what: 'A token has no spaces or line breaks',
      next: 'Paste only the token, in one piece.',
    };
  }
  return undefined;
}

function reasonOf({ code, what }: WireError): string {
  return code === 'not-signed-in' ? 'This dashboard asks who you are.' : `${sentence(what)}.`;
}
