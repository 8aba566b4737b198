import { CONFIG_MAPS, SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { ApiCredentials } from '../fan-out/ask-agent.ts';
import { GROUP, VERSION } from '../routes/api-documents.ts';
import type { Issued, Subject } from './issue.ts';
import {
  authorityFields,
  givenAuthorities,
  leafFields,
  renewedAuthorities,
  renewedLeaf,
  type SecretData,
  signerOf,
} from './secret-data.ts';

export interface CertificateKeeperOptions {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'update'>;
  readonly clock: Clock;
  readonly namespace: string;
  /** The name of the installation: of its Secret and its ConfigMap, and of the API's Service. */
  readonly name: string;
  /** Signs instead of an authority that is made here. */
  readonly authority?: Issued | undefined;
}

/** A Secret, or a ConfigMap. */
interface DataObject extends KubeObject {
  readonly data?: SecretData;
}

interface ApiService extends KubeObject {
  readonly spec?: { readonly caBundle?: string };
}

const API_SERVICES: ResourceType = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  plural: 'apiservices',
  singular: 'apiservice',
  kind: 'APIService',
  shortNames: [],
  namespaced: false,
  verbs: ['get', 'patch'],
};
const API_SERVICE = { name: `${VERSION}.${GROUP}` };
/** Replicas that write at once: each but one reads again what that one wrote. */
const ATTEMPTS = 10;

/** What the API proves itself with, and who signs for agents. */
export interface KeptCertificates extends ApiCredentials {
  readonly signer: Issued;
}

/**
 * Reads the certificate of the API and the authorities from their Secret, makes what is missing or due, and tells the
 * agents, by a ConfigMap, and the API server whom to trust. Call it again every minute: it writes only what changes. All
 * replicas may do so at once: the API server refuses a write to what another one has changed, and the refused replica
 * takes over what that one wrote. Secret and ConfigMap must exist, empty at first, so that nobody here may create or
 * list any. Throws a KubeError, and UnusableAuthorities: what cannot be read is not replaced.
 */
export async function keepCertificates(
  { client, clock, namespace, name, authority: given }: CertificateKeeperOptions,
  signal: AbortSignal,
): Promise<KeptCertificates> {
  const api: Subject = { commonName: 'logtool-api', dnsNames: [`${name}-api.${namespace}.svc`] };
  const access = { client, namespace, signal };
  let authorities: readonly [Issued, ...Issued[]] | undefined;
  let own: Issued | undefined;
  await change(access, { type: SECRETS, name: secretOf(name) }, (data) => {
    const nowMs = clock.now();
    authorities =
      given === undefined ? renewedAuthorities(data, nowMs) : givenAuthorities(data, given, nowMs);
    own = renewedLeaf(data, authorities, api, nowMs);
    return { ...authorityFields(authorities), ...leafFields(own) };
  });
  const trusted = authorities!;
  const bundle = trusted.map(({ certificate }) => certificate).join('');
  await change(access, { type: CONFIG_MAPS, name: `${name}-api-ca` }, () => ({ 'ca.crt': bundle }));
  await trustAuthorities(client, Buffer.from(bundle).toString('base64'), signal);
  return { ...own!, bundle, signer: signerOf(trusted, clock.now()) };
}

/** Returns the name of the Secret in which an installation keeps its authorities. */
export function secretOf(name: string): string {
  return `${name}-api-tls`;
}

interface Access extends Pick<CertificateKeeperOptions, 'client' | 'namespace'> {
  readonly signal: AbortSignal;
}

/** Writes the data of an object unless it is as wanted. Nobody's changes are overwritten unseen. */
async function change(
  { client, namespace, signal }: Access,
  { type, name }: { readonly type: ResourceType; readonly name: string },
  wantedOf: (data: SecretData) => SecretData,
): Promise<void> {
  const ref = { namespace, name };
  for (let attempt = 1; ; attempt++) {
    const known = await client.get<DataObject>(type, ref, { signal });
    const wanted = wantedOf(known.data ?? {});
    if (isSame(known.data ?? {}, wanted)) return;
    try {
      // With the version that was read: the API server refuses it if there is a newer one.
      await client.update(type, ref, { ...known, data: wanted }, { signal });
      return;
    } catch (error) {
      if (!isKubeError(error, 'conflict') || attempt === ATTEMPTS) throw error;
    }
  }
}

function isSame(data: SecretData, wanted: SecretData): boolean {
  const names = Object.keys(wanted);
  return Object.keys(data).length === names.length && names.every((name) => data[name] === wanted[name]);
}

/** Without an APIService there is nobody to tell: the API is then reached without the API server's aggregation. */
async function trustAuthorities(
  client: CertificateKeeperOptions['client'],
  caBundle: string,
  signal: AbortSignal,
): Promise<void> {
  let known: ApiService;
  try {
    known = await client.get<ApiService>(API_SERVICES, API_SERVICE, { signal });
  } catch (error) {
    if (isKubeError(error, 'not-found')) return;
    throw error;
  }
  if (known.spec?.caBundle === caBundle) return;
  const body = { spec: { caBundle } };
  await client.patch(API_SERVICES, API_SERVICE, 'application/merge-patch+json', body, { signal });
}
