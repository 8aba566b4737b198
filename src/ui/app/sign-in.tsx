import { type FormEvent, useState } from 'react';
import { ApiError } from '../../contract/client.ts';
import type { WireError } from '../../contract/error.ts';
import { useApp } from './app-context.ts';
import { ErrorText } from './chrome/error-text.tsx';

/** Kubernetes tokens are far shorter; the contract takes no more. */
const LIMIT_CHARS = 16_384;

/** Shown when the server does not know this browser (any more): signing in, or the way to a session of `--auth token`. */
export function SignIn({ error: why }: { readonly error: ApiError }) {
  if (why.error.code === 'token-required') return <OpenAgain error={why.error} />;
  return <SignInForm why={why.error} />;
}

function OpenAgain({ error }: { readonly error: WireError }) {
  return (
    <main className="sheet" role="alert">
      <ErrorText error={error} />
      {error.next === undefined ? (
        <p>Open the address that `logtool serve` printed when it started.</p>
      ) : null}
    </main>
  );
}

function SignInForm({ why }: { readonly why: WireError }) {
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
        (answer) => session.accept(answer.token),
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
      <p>
        Paste a token of yours for this cluster. You see what it may read, and nothing else. It is kept in an
        encrypted cookie of this browser until you sign out or it expires.
      </p>
      <form onSubmit={submit} noValidate>
        <label htmlFor="token">Kubernetes token</label>
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
        <p id="token-hint" className="hint">
          <code>kubectl create token ACCOUNT --namespace NAMESPACE</code> prints one of a service account.
        </p>
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

/** What is wrong with it for sure, before anybody is asked. */
function problemOf(text: string): WireError | undefined {
  const token = text.trim();
  if (token === '') return { code: 'token-empty', what: 'There is no token yet', next: 'Paste one.' };
  if (token.length > LIMIT_CHARS) {
    return { code: 'token-too-long', what: 'This is too long for a token', next: 'Paste the token alone.' };
  }
  if (/\s/.test(token)) {
    return {
      code: 'token-has-spaces',
      what: 'A token has no spaces or line breaks',
      next: 'Paste the token alone, in one piece.',
    };
  }
  return undefined;
}

function reasonOf({ code, what }: WireError): string {
  return code === 'sign-in-required' ? 'This dashboard asks who you are.' : `${what}.`;
}
