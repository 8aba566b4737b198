import type { AnswerFailures, BadRequest, QueryProblem, TurnRefusal } from '../contract/server-failures.ts';
import type { Facts, FactsOf } from './message.ts';
import { longLineText } from './notice.ts';
import { nameFaultText } from './sources.ts';

/** What the dashboard's server refuses, and why, for every reader. */
export const ANSWER_FACTS: FactsOf<AnswerFailures> = {
  'bad-query': ({ problem }) => QUERY_PROBLEMS[problem],
  'bad-request': requestFacts,
  'bad-time': ({ text }) => ({ what: `"${text}" is not a time`, why: 'there is no such day or hour' }),
  'body-too-large': ({ limitBytes }) => ({
    what: 'the request is too large',
    why: `its body may have ${limitBytes / 1024} KiB`,
  }),
  'body-too-slow': ({ limitMs }) => ({
    what: 'the request did not arrive completely',
    why: `a body may take ${limitMs / 1_000} s`,
  }),
  closing: () => ({ what: 'the server is about to end' }),
  'context-not-found': ({ context }) => ({
    what: `there is no context "${context}"`,
    why: 'the kubeconfig that the server reads does not name it',
  }),
  'foreign-host': ({ host }) => ({
    what:
      host === undefined
        ? 'the request names no host'
        : `this dashboard does not answer to the host "${host}"`,
    why: 'it answers only to its own addresses and allowed names, so that no foreign website can read your logs',
  }),
  'foreign-origin': () => ({
    what: 'the request comes from a page of another origin',
    why: 'only pages of this server may ask it',
  }),
  'long-lines': (line) => ({ what: 'lines are too long for this pattern', why: longLineText(line) }),
  'method-not-allowed': () => ({ what: 'the API takes no HEAD requests' }),
  'namespace-not-allowed': ({ namespace, allowed }) => ({
    what:
      namespace === undefined
        ? "this server does not show the context's own namespace"
        : `this server does not show namespace "${namespace}"`,
    why: `it shows only ${allowed.join(', ')}`,
  }),
  'no-cluster-for-sign-in': () => ({
    what: 'there is no cluster to sign in to',
    why: 'the kubeconfig that the server reads has no current context',
  }),
  'no-sign-in': () => ({
    what: 'there is no sign-in',
    why: 'this server lets everyone in who reaches it',
  }),
  'no-such-route': ({ path, isApi }) => ({
    what: isApi ? `there is no ${path}` : `there is nothing at ${path}`,
  }),
  'no-token-in-address': () => ({ what: 'nobody signs in by an address here' }),
  'not-signed-in': () => ({
    what: 'nobody is signed in',
    why: 'the request carries no session, one that is over, or a cookie without the token of its page',
  }),
  'page-not-built': () => ({
    what: 'the page of the dashboard is missing',
    why: 'this copy of logtool was not built with it',
  }),
  'page-token': () => ({
    what: 'the request does not come from a page that the server has given out',
    why: 'it carries no token of this session, or one from before the server was started again',
  }),
  'token-revoked': () => ({
    what: 'the cluster does not know your token any more',
    why: 'it has expired or been revoked',
  }),
  'too-many-bodies': ({ limitBytes }) => ({
    what: 'too many requests are on their way at once',
    why: `the server holds ${limitBytes / 1024 / 1024} MiB of unfinished requests per person or address`,
  }),
  'too-many-namespaces': ({ limit }) => ({
    what: 'too many namespaces are looked at by their names',
    why: `at most ${limit} are, for all tabs of one person together`,
  }),
  'too-many-open-sources': ({ count, limit }) => ({
    what: 'your open views have too many sources',
    why: `they have ${numberText(count)} together; one person may have ${numberText(limit)}`,
  }),
  'too-many-sign-ins': ({ checksAtOnce, reason }) => ({
    what: 'too many people are signing in at once',
    why: `the server checks ${checksAtOnce} tokens at a time; ${turnText(reason)}`,
  }),
  'too-many-sources': ({ count, limit }) => ({
    what: 'the request has too many sources',
    why: `its queries have ${numberText(count)} sources together; a request may have ${numberText(limit)}`,
  }),
  'too-many-streams': (limit) => ({
    what: 'too many streams are open at once',
    why: streamLimitText(limit),
  }),
  'wrong-token': ({ problem }) => WRONG_TOKEN[problem],
};

const QUERY_PROBLEMS: Readonly<Record<QueryProblem, Facts>> = {
  'same-id': { what: 'two queries have one id' },
  'ends-and-follows': {
    what: 'the query contradicts itself',
    why: 'a window that ends at a time cannot be followed',
  },
  'head-and-follows': {
    what: 'the query contradicts itself',
    why: 'the first lines of a window cannot be followed: what comes after them is not at the end',
  },
  'resumes-without-following': {
    what: 'the query contradicts itself',
    why: 'only what is followed can be resumed',
  },
};

const WRONG_TOKEN: Readonly<Record<AnswerFailures['wrong-token']['problem'], Facts>> = {
  other: {
    what: 'this token is not the one of the server',
    why: 'each start of the server has a new one',
  },
  unknown: {
    what: 'the cluster does not know this token',
    why: 'it was mistyped or cut, has expired or been revoked, or is of another cluster',
  },
  form: {
    what: 'this is no Kubernetes token',
    why: 'a token has only letters, digits and - . _ ~ + / =',
  },
};

function requestFacts(data: BadRequest): Facts {
  switch (data.problem) {
    case 'form':
      return { what: 'the request is not of the form that the server understands', why: data.why };
    case 'namespaces':
      return { what: 'these namespaces cannot be shown', why: `at most ${data.limit} may be named` };
    case 'namespace-name':
      return {
        what: 'these namespaces cannot be shown',
        why: `"${data.name}": ${nameFaultText(data.fault)}`,
      };
    case 'download-json':
      return { what: 'this cannot be downloaded', why: 'the query is no JSON' };
    case 'download-query':
      return { what: 'this cannot be downloaded', why: data.why ?? 'the query is no LogQuery' };
    case 'download-follows':
      return { what: 'this cannot be downloaded', why: 'what is followed has no end' };
  }
}

function turnText(reason: TurnRefusal): string {
  switch (reason.why) {
    case 'connection':
      return 'a connection has one turn at a time';
    case 'waiting-of-one':
      return `${reason.limit} of this ${reason.kind} wait for their turn already`;
    case 'waiting':
      return `${reason.limit} wait for their turn already`;
    case 'no-turn':
      return `no turn came within ${reason.limitMs / 1_000} s`;
  }
}

function streamLimitText(limit: AnswerFailures['too-many-streams']): string {
  switch (limit.of) {
    case 'session':
      return `a session may have ${limit.limit} of them`;
    case 'person':
      return `a person may have ${limit.limit} of them`;
    case 'server':
      return `the server has ${limit.limit} for all`;
    case 'share':
      return `the last ${limit.limit} of the server are for people with fewer than ${limit.share}`;
  }
}

function numberText(count: number): string {
  return count.toLocaleString('en');
}
