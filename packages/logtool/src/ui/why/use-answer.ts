import { useEffect, useState } from 'react';
import { ApiError } from '../../contract/client.ts';
import type { WireError } from '../../contract/error.ts';
import type { WhyAnswer } from '../../contract/why.ts';
import { causeText, pageError } from '../messages/page.ts';
import type { AppServices } from '../shell/app-context.ts';
import type { WhyQuestion } from './why-question.ts';

export type Asked =
  | { readonly state: 'asking' }
  | { readonly state: 'answered'; readonly answer: WhyAnswer }
  | { readonly state: 'failed'; readonly error: WireError };

/** Requests once the explanation of the sources' state. Unmounting ends the request. */
export function useAnswer({ api, session }: AppServices, { context, sources }: WhyQuestion): Asked {
  const [asked, setAsked] = useState<Asked>({ state: 'asking' });
  const key = JSON.stringify(sources);
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const take = (next: Asked) => {
      if (!signal.aborted) setAsked(next);
    };
    const fail = (error: unknown) => {
      if (error instanceof ApiError && error.status === 401 && !signal.aborted) session.end(error);
      take({ state: 'failed', error: errorOf(error) });
    };
    const body = { id: 0, sources: JSON.parse(key) as string[] };
    api
      .ask('POST /contexts/{context}/why', { params: { context }, body, signal })
      .then((answer) => take({ state: 'answered', answer }), fail);
    return () => abort.abort();
  }, [api, session, context, key]);
  return asked;
}

function errorOf(error: unknown): WireError {
  return error instanceof ApiError
    ? error.error
    : pageError('server-unreachable', { cause: causeText(error) });
}
