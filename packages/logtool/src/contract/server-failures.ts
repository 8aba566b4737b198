import type { NameFault } from '../domain/names.ts';
import type { LongLine } from '../domain/notice.ts';

/** Data of a code that needs none. */
type NoData = Readonly<Record<string, never>>;

/** What can go wrong in the dashboard's server: each code with its data. */
export interface ServerFailures extends AnswerFailures, StartFailures {}

/** The failures that an answer to the page can have. */
export interface AnswerFailures extends RequestFailures, SessionFailures, LimitFailures {}

/** Requests that the server does not answer. */
interface RequestFailures {
  /** Reading what the answer needs takes longer than `limitMs`. */
  'answer-too-slow': { readonly limitMs: number };
  /** `problem`: what is contradictory. */
  'bad-query': { readonly problem: QueryProblem };
  /** `why`: details from the schema or the names, if any. */
  'bad-request': BadRequest;
  'bad-time': { readonly text: string };
  'body-too-large': { readonly limitBytes: number; readonly isSignIn: boolean };
  'body-too-slow': { readonly limitMs: number };
  /** The server is shutting down. */
  closing: NoData;
  'context-not-found': { readonly context: string };
  /** Undefined if the request names no host. */
  'foreign-host': { readonly host?: string | undefined };
  'foreign-origin': NoData;
  /** Only the beginning of lines was matched, and a file cannot report that lines may be missing. */
  'long-lines': LongLine;
  'method-not-allowed': NoData;
  /** Without `namespace`, the context's own. */
  'namespace-not-allowed': {
    readonly namespace?: string | undefined;
    readonly allowed: readonly string[];
  };
  'no-such-route': { readonly path: string; readonly isApi: boolean };
  'page-not-built': NoData;
  'page-token': NoData;
}

/** Failures of sign-in. */
interface SessionFailures {
  'no-cluster-for-sign-in': NoData;
  'no-sign-in': NoData;
  'no-token-in-address': NoData;
  'not-signed-in': NoData;
  'token-revoked': NoData;
  /** `problem`: not the server's token, unknown to the cluster, or not in a token's form. */
  'wrong-token': { readonly problem: 'other' | 'unknown' | 'form' };
}

/** Limits for one person, or for all together. */
interface LimitFailures {
  'too-many-bodies': { readonly limitBytes: number };
  'too-many-namespaces': { readonly limit: number };
  'too-many-open-sources': { readonly count: number; readonly limit: number };
  'too-many-sign-ins': { readonly checksAtOnce: number; readonly reason: TurnRefusal };
  'too-many-sources': { readonly count: number; readonly limit: number };
  /** `of`: whose limit it is. */
  'too-many-streams':
    | { readonly of: 'session' | 'person' | 'server'; readonly limit: number }
    | {
        /** The server keeps its last `limit` streams for people with fewer than `share`. */
        readonly of: 'share';
        readonly limit: number;
        readonly share: number;
      };
}

/** What keeps the server from starting. `purpose`: what should listen there. */
interface StartFailures {
  'bad-allowed-host': { readonly value: string };
  'bad-session-keys': { readonly file: string; readonly problem: SessionKeyProblem };
  'cannot-listen': ListenTrouble & { readonly systemCode?: string | undefined };
  'host-not-here': ListenTrouble;
  'port-not-allowed': ListenTrouble;
  /** `to`: every port up to it is taken, too. */
  'port-taken': ListenTrouble & { readonly to?: number | undefined };
  'session-keys-unreadable': { readonly file: string; readonly systemCode: string };
}

export type QueryProblem =
  | 'same-id'
  | 'ends-and-follows'
  | 'head-and-follows'
  | 'rotated-and-follows'
  | 'resumes-without-following';

export type DownloadProblem = 'download-json' | 'download-query' | 'download-follows';

export type BadRequest =
  | {
      readonly problem: 'form' | DownloadProblem;
      readonly why?: string | undefined;
    }
  /** The request names more namespaces than allowed. */
  | { readonly problem: 'namespaces'; readonly limit: number }
  | { readonly problem: 'namespace-name'; readonly name: string; readonly fault: NameFault };

/** Why a sign-in gets no turn. */
export type TurnRefusal =
  | { readonly why: 'connection' }
  | { readonly why: 'waiting-of-one'; readonly limit: number; readonly kind: 'person' | 'address' }
  | { readonly why: 'waiting'; readonly limit: number }
  | { readonly why: 'no-turn'; readonly limitMs: number };

export type SessionKeyProblem =
  | { readonly problem: 'none' }
  | { readonly problem: 'too-many'; readonly count: number; readonly limit: number }
  | { readonly problem: 'short'; readonly index: number; readonly minCharacters: number };

export interface ListenTrouble {
  readonly host: string;
  readonly port: number;
  readonly purpose: ListenPurpose;
}

export type ListenPurpose = 'dashboard' | 'metrics' | 'mcp';
