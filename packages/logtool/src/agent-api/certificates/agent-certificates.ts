import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { readCertificates } from '../front-proxy/request-header.ts';
import { type Issued, isDue } from './issue.ts';
import { AGENT_CERTIFICATE_PATH } from './issue-to-agent.ts';

export interface AgentCertificatesOptions {
  readonly clock: Clock;
  /** Where the API answers, and the name that its certificate must have. */
  readonly api: { readonly host: string; readonly port: number; readonly name: string };
  /** The file with the token of this pod, of the audience `logtool-api`; the kubelet renews it. */
  readonly tokenFile: string;
}

/** The API refused a certificate, or answered with something else. */
export class NoCertificate extends Error {
  /** `answer`: its status code, and what came with it. */
  constructor(answer: readonly [code: number, text: string]) {
    super(answer.join(' '));
    this.name = 'NoCertificate';
  }
}

const ANSWER_MS = 15_000;
const MAX_BYTES = 65_536;

/** The certificate of the agent of one node. Key and certificate are in memory alone. */
export class AgentCertificates {
  readonly #options: AgentCertificatesOptions;
  #own: Issued | undefined;

  constructor(options: AgentCertificatesOptions) {
    this.#options = options;
  }

  /**
   * Returns the certificate, or asks the API for one with a new key if there is none, if it is due, or if none of the
   * authorities signed it: an authority that nobody trusts any more was replaced at once. `bundle`: those that sign for
   * the API and the agents, PEM, at least one. Throws NoCertificate, errors of the file, the system and TLS, and the
   * signal's reason.
   */
  async read(bundle: string, signal: AbortSignal): Promise<Issued> {
    const own = this.#own;
    const { clock } = this.#options;
    if (own !== undefined && !isDue(own.certificate, clock.now()) && isSigned(own, bundle)) return own;
    const { privateKey, publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    this.#own = { key: privateKey, certificate: await this.#ask(publicKey, bundle, signal) };
    return this.#own;
  }

  async #ask(publicKey: string, bundle: string, signal: AbortSignal): Promise<string> {
    const { api, tokenFile, clock } = this.#options;
    const token = (await readFile(tokenFile, 'utf8')).trim();
    const limit = new AbortController();
    const cancel = clock.after(ANSWER_MS, () => limit.abort());
    try {
      const sent = request({
        host: api.host,
        port: api.port,
        method: 'POST',
        path: AGENT_CERTIFICATE_PATH,
        // The token is for nobody but the API.
        ca: bundle,
        // An authority that somebody gave may have been signed by another, which is trusted by nobody here.
        allowPartialTrustChain: true,
        servername: api.name,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-pem-file' },
        agent: false,
        signal: AbortSignal.any([signal, limit.signal]),
      });
      sent.end(publicKey);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const text = await textOf(answer);
      if (answer.statusCode !== 200) throw new NoCertificate([answer.statusCode ?? 0, text]);
      return new X509Certificate(text).toString();
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      cancel();
    }
  }
}

function isSigned({ certificate }: Issued, bundle: string): boolean {
  const leaf = new X509Certificate(certificate);
  const authorities = readCertificates(bundle, 'ca.crt');
  return Array.isArray(authorities) && authorities.some(({ publicKey }) => leaf.verify(publicKey));
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.length > MAX_BYTES) throw new NoCertificate([answer.statusCode ?? 0, text.slice(0, 200)]);
  }
  return text;
}
