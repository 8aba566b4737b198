import { randomBytes, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import {
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigUser,
  writeKubeconfig,
} from '../kubeconfig-file.ts';
import type { Authority } from '../tls.ts';
import type { TokenUser } from './authenticate.ts';

/** A user that the server knows; what it may do follows from the roles in the store. */
export interface ServerUser {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly auth: 'token' | 'certificate';
  /** Default namespace of its context in the kubeconfig. */
  readonly namespace?: string | undefined;
  /** Its certificate has run out, or its token is not known to the server: every request answers 401. */
  readonly expired?: boolean;
}

/** Who may come in, and the kubeconfig that says so: a context for each user, named as the user. */
export interface Credentials {
  /** The tokens that are accepted at this moment. */
  readonly tokens: readonly TokenUser[];
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  /** Writes the kubeconfig, once the address of the server is known. */
  publish(cluster: KubeconfigCluster): Promise<void>;
  /** A further user, with a context of its name. */
  addUser(user: ServerUser): Promise<void>;
  /** A further context of a user that there is. */
  addContext(context: KubeconfigContext): Promise<void>;
  removeContext(name: string): Promise<void>;
  /** The token is not accepted from now on (401); what runs with it goes on, as in a real cluster. */
  revokeToken(user: string): void;
  /** A new token, in the kubeconfig too; the one before is revoked. */
  renewToken(user: string): Promise<void>;
  /** Fingerprints (SHA-256) of certificates that are not accepted any more. */
  readonly refused: ReadonlySet<string>;
  /** A new certificate, in the kubeconfig too; the one before answers 401, as one that has run out does. */
  renewCertificate(user: string): Promise<void>;
  /** Writes a kubeconfig with the contexts of one user alone, and returns its path. */
  kubeconfigOf(user: string): Promise<string>;
}

export async function createCredentials(
  authority: Authority,
  directory: string,
  users: readonly ServerUser[],
): Promise<Credentials> {
  const tokens: TokenUser[] = [];
  const refused = new Set<string>();
  const groupsOf = new Map<string, readonly string[]>();
  let known: KubeconfigUser[] = [];
  let contexts: KubeconfigContext[] = [];
  let cluster: KubeconfigCluster | undefined;
  const kubeconfig = join(directory, 'kubeconfig');

  const issue = async ({ name, auth, groups = [], expired = false }: ServerUser) => {
    if (auth === 'certificate') {
      return { kind: 'certificate' as const, ...(await authority.issueClient(name, groups, { expired })) };
    }
    const token = randomBytes(24).toString('base64url');
    if (!expired) tokens.push({ token, name, groups });
    return { kind: 'token' as const, token };
  };
  const enter = async (user: ServerUser): Promise<void> => {
    known.push({ name: user.name, credentials: await issue(user) });
    groupsOf.set(user.name, user.groups ?? []);
    contexts.push({ name: user.name, user: user.name, namespace: user.namespace });
  };
  const write = async (): Promise<void> => {
    if (cluster !== undefined) await writeKubeconfig(kubeconfig, cluster, known, contexts);
  };
  const userNamed = (name: string): KubeconfigUser => {
    const user = known.find((one) => one.name === name);
    if (user === undefined) throw accessError(`no user ${name}`);
    return user;
  };
  const revokeToken = (name: string): void => {
    if (userNamed(name).credentials.kind !== 'token') throw accessError(`user ${name} has no token`);
    const left = tokens.filter((token) => token.name !== name);
    tokens.splice(0, tokens.length, ...left);
  };
  for (const user of users) await enter(user);

  return {
    tokens,
    refused,
    kubeconfig,
    revokeToken,
    async publish(published) {
      cluster = published;
      await write();
    },
    async addUser(user) {
      if (known.some(({ name }) => name === user.name)) throw accessError(`there is a user ${user.name}`);
      await enter(user);
      await write();
    },
    async addContext(context) {
      userNamed(context.user);
      contexts = [...contexts.filter(({ name }) => name !== context.name), context];
      await write();
    },
    async removeContext(name) {
      if (!contexts.some((context) => context.name === name)) throw accessError(`no context ${name}`);
      contexts = contexts.filter((context) => context.name !== name);
      await write();
    },
    async renewToken(name) {
      revokeToken(name);
      const credentials = await issue({ name, auth: 'token', groups: groupsOf.get(name) ?? [] });
      known = known.map((user) => (user.name === name ? { name, credentials } : user));
      await write();
    },
    async renewCertificate(name) {
      const before = userNamed(name).credentials;
      if (before.kind !== 'certificate') throw accessError(`user ${name} has no certificate`);
      const credentials = await issue({ name, auth: 'certificate', groups: groupsOf.get(name) ?? [] });
      refused.add(fingerprintOf(before.certificate));
      known = known.map((user) => (user.name === name ? { name, credentials } : user));
      await write();
    },
    async kubeconfigOf(name) {
      const user = userNamed(name);
      if (cluster === undefined) throw accessError('the server has no address yet');
      const path = `${kubeconfig}-${encodeURIComponent(name)}`;
      const own = contexts.filter((context) => context.user === name);
      await writeKubeconfig(path, cluster, [user], own);
      return path;
    },
  };
}

function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
}

function accessError(what: string): LogtoolError {
  return new LogtoolError({ code: 'control-target-missing', what, next: 'see the users of the scenario' });
}
