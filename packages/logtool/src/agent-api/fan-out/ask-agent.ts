import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { Socket } from 'node:net';
import type { PeerCertificate } from 'node:tls';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { AGENT_NAME, isOfAgent } from '../certificates/agent-subject.ts';
import { identityHeaders } from '../front-proxy/identity-headers.ts';
import type { Identity } from '../front-proxy/read-identity.ts';
import type { AgentAddress } from './agents.ts';

/** With what the API of logtool proves itself to agents, and who signs for them. PEM. */
export interface ApiCredentials {
  readonly key: string;
  readonly certificate: string;
  readonly bundle: string;
}

export interface AgentQuestion {
  /** Path and query. */
  readonly path: string;
  /** In whose name; undefined: the API's own. */
  readonly identity: Identity | undefined;
  readonly signal: AbortSignal;
}

export interface AgentsAnswer {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  /** Throws if the agent, or the way to it, breaks it off. Back-pressure reaches the agent. */
  readonly body: IncomingMessage;
}

const CONNECT_MS = 5000;
/** After this the system asks every second whether the other side is there, and gives up after ten times (libuv). */
const KEEP_ALIVE_MS = 15_000;

/**
 * Asks the agent of a node, and returns when its answer begins. Throws the system's error if it cannot be reached
 * within 5 s, OtherAgent, and the signal's reason.
 */
export async function askAgent(
  address: AgentAddress,
  { path, identity, signal }: AgentQuestion,
  { key, certificate, bundle }: ApiCredentials,
  clock: Clock,
): Promise<AgentsAnswer> {
  signal.throwIfAborted();
  const { host, port, node } = address;
  const sent = request({
    host,
    port,
    path,
    headers: identity === undefined ? {} : identityHeaders(identity),
    key,
    cert: certificate,
    ca: bundle,
    // An authority that somebody gave may have been signed by another, which is trusted by nobody here.
    allowPartialTrustChain: true,
    servername: AGENT_NAME,
    checkServerIdentity: (_, peer) => agentProblem(node, peer),
    // A connection of its own for each answer: one that is not read holds up no other.
    agent: new Agent({ keepAlive: false }),
    signal,
  });
  const cancel = limitConnecting(sent, clock);
  sent.end();
  try {
    const [body] = (await once(sent, 'response')) as [IncomingMessage];
    return { code: body.statusCode ?? 0, headers: body.headers, body };
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    cancel();
    // What breaks off later shows in the body; without a listener it would end the process.
    sent.on('error', () => undefined);
  }
}

function limitConnecting(sent: ClientRequest, clock: Clock): () => void {
  const cancel = clock.after(CONNECT_MS, () => sent.destroy(new Error('ETIMEDOUT')));
  sent.once('socket', (socket: Socket) => {
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once('secureConnect', cancel);
  });
  return cancel;
}

/** An agent proved to be of another node than the one that was asked, or something else answered in its place. */
export class OtherAgent extends Error {
  constructor(node: string) {
    super(node);
    this.name = 'OtherAgent';
  }
}

/** Returns why a certificate does not prove the agent of a node: that of another node's agent proves nothing. */
function agentProblem(node: string, peer: PeerCertificate): Error | undefined {
  return isOfAgent(node, peer.raw) ? undefined : new OtherAgent(node);
}
