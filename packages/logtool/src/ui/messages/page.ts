import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import type { Messages } from './message.ts';

/** Failures in the page itself, or between it and the server; the server has no messages for them. */
export interface PageFailures {
  'server-unreachable': { readonly cause: string };
  'bad-answer': { readonly cause: string };
  'bad-workloads': { readonly cause: string };
  'http-refusal': { readonly status: number; readonly statusText: string };
  'workloads-ended': Nothing;
  'cluster-unreachable': Nothing;
  'no-context': Nothing;
  silent: { readonly seconds: number };
  shutdown: Nothing;
  'too-slow': Nothing;
  'broken-stream': { readonly cause: string };
  'page-cut': Nothing;
  'signed-out': Nothing;
  expired: Nothing;
  revoked: Nothing;
  'token-empty': Nothing;
  'token-too-long': Nothing;
  'token-has-spaces': Nothing;
}

type Nothing = Readonly<Record<never, never>>;

export const PAGE_MESSAGES: Messages<PageFailures> = {
  'server-unreachable': ({ cause }) => ({
    what: 'logtool does not answer',
    why: cause,
    next: 'Check that the program logtool still runs, and that this machine is online.',
  }),
  'bad-answer': ({ cause }) => ({
    what: "the page cannot read logtool's answer",
    why: cause,
    next: 'Reload the page; if there is a proxy in between, check what it answers.',
  }),
  'bad-workloads': ({ cause }) => ({ what: 'The page cannot read the list of workloads', why: cause }),
  'http-refusal': ({ status, statusText }) => ({
    what: `The server answered ${status}${statusText === '' ? '' : ` ${statusText}`}`,
    why: 'The answer is not from logtool: a proxy may have given it.',
    next: 'Reload the page.',
  }),
  'workloads-ended': () => ({ what: 'logtool ended the list of workloads' }),
  'cluster-unreachable': () => ({ what: 'The cluster does not answer' }),
  'no-context': () => ({
    what: 'No cluster to show',
    why: 'The kubeconfig has no context.',
    next: 'Add one with `kubectl config`; this page picks it up at once.',
  }),
  silent: ({ seconds }) => ({ what: `The server sent nothing for ${seconds} seconds` }),
  shutdown: () => ({ what: 'logtool has stopped' }),
  'too-slow': () => ({ what: 'This page could not keep up with the logs' }),
  'broken-stream': ({ cause }) => ({ what: 'The log stream failed', why: cause }),
  'page-cut': () => ({ what: 'The page lost its connection while reading lines', next: 'Try again.' }),
  'signed-out': () => ({ what: 'You are signed out' }),
  expired: () => ({ what: 'Your session has expired' }),
  revoked: () => ({ what: 'The cluster no longer accepts your token: it expired or was revoked' }),
  'token-empty': () => ({ what: 'No token entered', next: 'Paste one.' }),
  'token-too-long': () => ({ what: 'This is too long for a token', next: 'Paste only the token.' }),
  'token-has-spaces': () => ({
    what: 'A token has no spaces or line breaks',
    next: 'Paste only the token, in one piece.',
  }),
};

/** Makes an error of the page, in the same shape as the server's errors. */
export function pageError<C extends keyof PageFailures>(
  code: C,
  data: PageFailures[C],
): Coded<C, PageFailures[C]> {
  return { code, data };
}

/** Returns the text of a thrown value. */
export function causeText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
