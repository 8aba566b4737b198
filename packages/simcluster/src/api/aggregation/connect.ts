import { connect as connectPlain, type Socket } from 'node:net';
import { connect } from 'node:tls';
import type { Identity } from '../../access/tls.ts';
import { hostPort, type Network } from './network.ts';

/** The server to ask, and how to recognize it. */
export interface Target {
  readonly address: string;
  readonly port: number;
  /** The name in the server's certificate: `SERVICE.NAMESPACE.svc`. */
  readonly serverName: string;
  /** PEM of the authorities to trust; undefined: those of the machine. */
  readonly ca: string | undefined;
  readonly insecure: boolean;
  /** Without TLS. */
  readonly plain?: boolean;
}

/** Why a server cannot be reached, in the words of Go's client. */
export class Unreachable extends Error {}

/** Opens a connection with this certificate, if any. Throws Unreachable. */
export function openConnection(
  network: Network,
  identity: Identity | undefined,
  target: Target,
  signal: AbortSignal,
): Promise<Socket> {
  const { address, port } = target;
  const listener = network.find(address, port);
  if (listener === undefined) return Promise.reject(refused(target));
  return new Promise((resolve, reject) => {
    const socket = target.plain === true ? connectPlain(listener) : connectTls(listener, identity, target);
    const abort = () => socket.destroy(new Unreachable('context canceled'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    const fail = (error: Error) => {
      signal.removeEventListener('abort', abort);
      reject(reasonOf(target, error));
    };
    socket.once('error', fail);
    socket.once(target.plain === true ? 'connect' : 'secureConnect', () => {
      signal.removeEventListener('abort', abort);
      socket.removeListener('error', fail);
      socket.setNoDelay(true);
      resolve(socket);
    });
  });
}

function connectTls(
  listener: { readonly host: string; readonly port: number },
  identity: Identity | undefined,
  { serverName, ca, insecure }: Target,
): Socket {
  return connect({
    ...listener,
    servername: serverName,
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: !insecure,
    ...(identity === undefined ? {} : { key: identity.key, cert: identity.certificate }),
    // Go trusts every certificate of a pool, also one that another authority has signed (crypto/x509: Verify).
    ...(ca === undefined ? {} : { ca, allowPartialTrustChain: true }),
  });
}

/** Errors of OpenSSL that mean that no trusted authority has signed the server's certificate. */
const UNTRUSTED: readonly string[] = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
];

function refused({ address, port }: Target): Unreachable {
  return new Unreachable(`dial tcp ${hostPort(address, port)}: connect: connection refused`);
}

function reasonOf(target: Target, error: Error): Unreachable {
  if (error instanceof Unreachable) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return refused(target);
  if (UNTRUSTED.includes(code))
    return new Unreachable(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
  return new Unreachable(error.message);
}
