import type { AnswerFailures, BadRequest, QueryProblem, TurnRefusal } from '../contract/server-failures.ts';
import { longLineText } from './long-line.ts';
import type { Facts, FactsOf } from './message.ts';
import { nameFaultText } from './sources.ts';
import { unknownCodeText, unknownMemberText } from './unknown-code.ts';

/** What the dashboard's server refuses, and why, for every reader. */
export const ANSWER_FACTS: FactsOf<AnswerFailures> = {
  'answer-too-slow': ({ limitMs }) => ({ what: `the cluster took more than ${limitMs / 1_000} s to answer` }),
  'bad-query': ({ problem }) => knownFacts(QUERY_PROBLEMS, problem),
  'bad-request': requestFacts,
  'bad-time': ({ text }) => ({ what: `"${text}" is not a time`, why: 'that day or hour does not exist' }),
  'body-too-large': ({ limitBytes }) => ({
    what: 'the request is too large',
    why: `its body may have ${limitBytes / 1024} KiB`,
  }),
  'body-too-slow': ({ limitMs }) => ({
    what: 'the request did not arrive completely',
    why: `a body may take ${limitMs / 1_000} s`,
  }),
  closing: () => ({ what: 'the server is shutting down' }),
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
    why: 'only pages of this server may call it',
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
    what: 'this server has no sign-in',
    why: 'it lets in everyone who reaches it',
  }),
  'no-such-route': ({ path, isApi }) => ({
    what: isApi ? `there is no ${path}` : `there is nothing at ${path}`,
  }),
  'no-token-in-address': () => ({ what: 'this server does not accept a token in the address' }),
  'not-signed-in': () => ({
    what: 'you are not signed in',
    why: 'the request has no session, an expired one, or a cookie without the token of its page',
  }),
  'page-not-built': () => ({
    what: 'the page of the dashboard is missing',
    why: 'this copy of logtool does not contain it',
  }),
  'page-token': () => ({
    what: 'the request does not come from a page of this server',
    why: 'it has no token of this session, or an old one from before the server restarted',
  }),
  'token-revoked': () => ({
    what: 'the cluster no longer accepts your token',
    why: 'it has expired or been revoked',
  }),
  'too-many-bodies': ({ limitBytes }) => ({
    what: 'the server is receiving too many requests at once',
    why: `the server holds ${limitBytes / 1024 / 1024} MiB of unfinished requests per person or address`,
  }),
  'too-many-namespaces': ({ limit }) => ({
    what: 'your open views name too many namespaces',
    why: `one person may name ${limit} in all tabs together`,
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
  'wrong-token': ({ problem }) => knownFacts(WRONG_TOKEN, problem),
};

const QUERY_PROBLEMS: Readonly<Record<QueryProblem, Facts>> = {
  'same-id': { what: 'two queries have one id' },
  'ends-and-follows': {
    what: 'the query contradicts itself',
    why: 'logtool cannot follow a window that ends at a time',
  },
  'head-and-follows': {
    what: 'the query contradicts itself',
    why: 'logtool cannot follow the first lines of a window: new lines come at its end',
  },
  'rotated-and-follows': {
    what: 'the query contradicts itself',
    why: 'rotated files get no new records, so logtool cannot follow them',
  },
  'resumes-without-following': {
    what: 'the query contradicts itself',
    why: 'logtool can resume only a query that follows',
  },
};

const WRONG_TOKEN: Readonly<Record<AnswerFailures['wrong-token']['problem'], Facts>> = {
  other: {
    what: "this is not the server's token",
    why: 'the server makes a new one at each start',
  },
  unknown: {
    what: 'the cluster does not accept this token',
    why: 'it may be mistyped, incomplete, expired, revoked or for another cluster',
  },
  form: {
    what: 'this is not a Kubernetes token',
    why: 'a token has only letters, digits and - . _ ~ + / =',
  },
};

function knownFacts<C extends string>(facts: Readonly<Record<C, Facts>>, code: C): Facts {
  return Object.hasOwn(facts, code) ? facts[code] : { what: unknownCodeText(code) };
}

function requestFacts(data: BadRequest): Facts {
  switch (data.problem) {
    case 'form':
      return { what: 'the server does not understand the request', why: data.why };
    case 'namespaces':
      return {
        what: 'the server cannot show these namespaces',
        why: `a request may name at most ${data.limit}`,
      };
    case 'namespace-name':
      return {
        what: 'the server cannot show these namespaces',
        why: `"${data.name}": ${nameFaultText(data.fault)}`,
      };
    case 'download-json':
      return { what: 'the server cannot offer this as a download', why: 'the query is not JSON' };
    case 'download-query':
      return {
        what: 'the server cannot offer this as a download',
        why: data.why ?? 'the query is not a LogQuery',
      };
    case 'download-follows':
      return { what: 'the server cannot offer this as a download', why: 'a query that follows has no end' };
    default:
      return { what: unknownMemberText(data satisfies never, 'problem') };
  }
}

function turnText(reason: TurnRefusal): string {
  switch (reason.why) {
    case 'connection':
      return 'a connection may check one token at a time';
    case 'waiting-of-one':
      return `${reason.limit} of this ${reason.kind} are already waiting`;
    case 'waiting':
      return `${reason.limit} are already waiting`;
    case 'no-turn':
      return `this one waited more than ${reason.limitMs / 1_000} s`;
    default:
      return unknownMemberText(reason satisfies never, 'why');
  }
}

function streamLimitText(limit: AnswerFailures['too-many-streams']): string {
  switch (limit.of) {
    case 'session':
      return `a session may have ${limit.limit} of them`;
    case 'person':
      return `a person may have ${limit.limit} of them`;
    case 'server':
      return `the server allows ${limit.limit} in total`;
    case 'share':
      return `the server keeps the last ${limit.limit} for people who have fewer than ${limit.share}`;
    default:
      return unknownMemberText(limit satisfies never, 'of');
  }
}

function numberText(count: number): string {
  return count.toLocaleString('en');
}
