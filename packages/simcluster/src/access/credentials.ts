import { randomBytes, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { SimClusterError } from '../simcluster-error.ts';
import type { TokenUser } from './authenticate.ts';
import {
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigUser,
  writeKubeconfig,
} from './kubeconfig-file.ts';
import type { Authority } from './tls.ts';

/** A user that the server knows. The roles in the store decide its permissions. */
export interface ServerUser {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly auth: 'token' | 'certificate';
  /** Default namespace of the user's context in the kubeconfig. */
  readonly namespace?: string | undefined;
  /** Its certificate has expired, or the server does not know its token: every request gets 401. */
  readonly expired?: boolean;
}

/** The users and the kubeconfig with their credentials: one context for each user, with the user's name. */
export interface Credentials {
  /** The currently valid tokens. */
  readonly tokens: readonly TokenUser[];
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  /** Writes the kubeconfig, once the server's address is known. */
  publish(cluster: KubeconfigCluster): Promise<void>;
  /** Adds a user, with a context of the same name. */
  addUser(user: ServerUser): Promise<void>;
  /** Adds a context for an existing user. */
  addContext(context: KubeconfigContext): Promise<void>;
  removeContext(name: string): Promise<void>;
  /** Returns the valid bearer token of a user. */
  tokenOf(user: string): string;
  /** Rejects the token from now on (401); running requests continue, as in a real cluster. */
  revokeToken(user: string): void;
  /** Issues a new token, also in the kubeconfig, and revokes the previous one. */
  renewToken(user: string): Promise<void>;
  /** Fingerprints (SHA-256) of certificates that are no longer valid. */
  readonly refused: ReadonlySet<string>;
  /** Issues a new certificate, also in the kubeconfig; the previous one then gets 401, as an expired one does. */
  renewCertificate(user: string): Promise<void>;
  /** Writes a kubeconfig with the contexts of only one user, and returns its path. */
  kubeconfigOf(user: string): Promise<string>;
}

export async function createCredentials(
  authority: Authority,
  directory: string,
  users: readonly ServerUser[],
): Promise<Credentials> {
  const credentials = new KubeconfigCredentials(authority, join(directory, 'kubeconfig'));
  for (const user of users) await credentials.enter(user);
  return credentials;
}

interface KnownUser extends KubeconfigUser {
  readonly groups: readonly string[];
}

class KubeconfigCredentials implements Credentials {
  readonly tokens: TokenUser[] = [];
  readonly refused = new Set<string>();
  readonly kubeconfig: string;
  readonly #authority: Authority;
  readonly #users = new Map<string, KnownUser>();
  #contexts: readonly KubeconfigContext[] = [];
  #cluster: KubeconfigCluster | undefined;

  constructor(authority: Authority, kubeconfig: string) {
    this.#authority = authority;
    this.kubeconfig = kubeconfig;
  }

  /** Adds a user without writing the kubeconfig. */
  async enter({ name, auth, groups = [], expired = false, namespace }: ServerUser): Promise<void> {
    await this.#issue(name, auth, groups, expired);
    this.#contexts = [...this.#contexts, { name, user: name, namespace }];
  }

  async publish(cluster: KubeconfigCluster): Promise<void> {
    this.#cluster = cluster;
    await this.#write();
  }

  async addUser(user: ServerUser): Promise<void> {
    if (this.#users.has(user.name)) throw accessError(`there is a user ${user.name}`);
    await this.enter(user);
    await this.#write();
  }

  async addContext(context: KubeconfigContext): Promise<void> {
    this.#userNamed(context.user);
    this.#contexts = [...this.#contexts.filter(({ name }) => name !== context.name), context];
    await this.#write();
  }

  async removeContext(name: string): Promise<void> {
    if (!this.#contexts.some((context) => context.name === name)) throw accessError(`no context ${name}`);
    this.#contexts = this.#contexts.filter((context) => context.name !== name);
    await this.#write();
  }

  tokenOf(name: string): string {
    const token = this.tokens.find((one) => one.name === name)?.token;
    if (token === undefined) throw accessError(`user ${name} has no token`);
    return token;
  }

  revokeToken(name: string): void {
    if (this.#userNamed(name).credentials.kind !== 'token') throw accessError(`user ${name} has no token`);
    const left = this.tokens.filter((token) => token.name !== name);
    this.tokens.splice(0, this.tokens.length, ...left);
  }

  async renewToken(name: string): Promise<void> {
    this.revokeToken(name);
    await this.#issue(name, 'token', this.#userNamed(name).groups, false);
    await this.#write();
  }

  async renewCertificate(name: string): Promise<void> {
    const { credentials: before, groups } = this.#userNamed(name);
    if (before.kind !== 'certificate') throw accessError(`user ${name} has no certificate`);
    await this.#issue(name, 'certificate', groups, false);
    this.refused.add(fingerprintOf(before.certificate));
    await this.#write();
  }

  async kubeconfigOf(name: string): Promise<string> {
    const user = this.#userNamed(name);
    if (this.#cluster === undefined) throw accessError('the server has no address yet');
    const path = `${this.kubeconfig}-${encodeURIComponent(name)}`;
    const own = this.#contexts.filter((context) => context.user === name);
    await writeKubeconfig(path, this.#cluster, [user], own);
    return path;
  }

  async #issue(
    name: string,
    auth: ServerUser['auth'],
    groups: readonly string[],
    expired: boolean,
  ): Promise<void> {
    if (auth === 'certificate') {
      const identity = await this.#authority.issueClient(name, groups, { expired });
      this.#users.set(name, { name, groups, credentials: { kind: 'certificate', ...identity } });
      return;
    }
    const token = randomBytes(24).toString('base64url');
    if (!expired) this.tokens.push({ token, name, groups });
    this.#users.set(name, { name, groups, credentials: { kind: 'token', token } });
  }

  #userNamed(name: string): KnownUser {
    const user = this.#users.get(name);
    if (user === undefined) throw accessError(`no user ${name}`);
    return user;
  }

  async #write(): Promise<void> {
    if (this.#cluster === undefined) return;
    await writeKubeconfig(this.kubeconfig, this.#cluster, [...this.#users.values()], this.#contexts);
  }
}

function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
}

function accessError(what: string): SimClusterError {
  return new SimClusterError('control-target-missing', { what, next: 'see the users of the scenario' });
}
