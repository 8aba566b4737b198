import { createPublicKey, type KeyObject } from 'node:crypto';
import type { AnyRequest } from '../http/answers.ts';
import {
  type AgentIdentity,
  type AgentTokenOptions,
  type AgentTokenProblem,
  agentOf,
} from '../review/agent-token.ts';
import { methodNotAllowed } from '../status/log-status.ts';
import { badKey, keyTooLarge, type Status } from '../status/status.ts';
import { agentSubject } from './agent-subject.ts';
import { certify, type Issued } from './issue.ts';

/** Where agents get their certificates: not below `/apis`, so the API server leads nobody there. */
export const AGENT_CERTIFICATE_PATH = '/agent-certificate';

export interface IssueOptions extends AgentTokenOptions {
  /** The authority that signs. Called for each request. */
  readonly signer: () => Issued;
}

export type IssueProblem = AgentTokenProblem | 'bad-key' | 'too-large';

/** The certificate of an agent, PEM, or why there is none. */
export type IssueAnswer =
  | { readonly certificate: string; readonly agent: AgentIdentity }
  | { readonly status: Status; readonly problem?: IssueProblem; readonly cause?: unknown };

/** More than any public key that is accepted. */
const MAX_BYTES = 4096;
const BEARER = /^Bearer (\S+)$/;

/**
 * Answers an agent that sends the public key of P-256 (SPKI, PEM) that it has made, and proves itself by the token of
 * its pod: with a certificate for the node on which that pod runs, and no other. Throws the signal's reason, and what
 * breaks the request off.
 */
export async function issueToAgent(
  request: AnyRequest,
  options: IssueOptions,
  signal: AbortSignal,
): Promise<IssueAnswer> {
  if (request.method !== 'POST') return { status: methodNotAllowed() };
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const proved = await agentOf(token, options, signal);
  if ('problem' in proved) return proved;
  const body = await bodyOf(request);
  if (body === undefined) {
    return { problem: 'too-large', status: keyTooLarge(MAX_BYTES) };
  }
  const key = keyOf(body);
  if (key === undefined) return { problem: 'bad-key', status: badKey() };
  const { agent } = proved;
  const certificate = certify(options.signer(), agentSubject(agent.node), key, options.clock.now());
  return { certificate, agent };
}

/** Undefined: it is too large, and its rest is not read. */
async function bodyOf(request: AnyRequest): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined for everything but a public key: a private one is not the API's to know. */
function keyOf(text: string): KeyObject | undefined {
  if (!/^-----BEGIN PUBLIC KEY-----/.test(text)) return undefined;
  try {
    const key = createPublicKey(text);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}
