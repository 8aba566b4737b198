import type { Store, StoredObject } from '../../store/store.ts';

/** The store's name for APIServices. */
export const API_SERVICES = 'apiservices.apiregistration.k8s.io';

/** A group and version, and the service that answers for it. */
export interface ApiService {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
  /** Undefined: the API server itself. */
  readonly service: ServiceReference | undefined;
  /** PEM; undefined: the authorities that the machine trusts. */
  readonly caBundle: string | undefined;
  readonly insecure: boolean;
  readonly available: boolean;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

interface Spec {
  readonly group?: string;
  readonly version?: string;
  readonly groupPriorityMinimum?: number;
  readonly versionPriority?: number;
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number } | null;
  readonly caBundle?: string;
  readonly insecureSkipTLSVerify?: boolean;
}

const HTTPS_PORT = 443;

export function readApiService({ metadata, spec, status }: StoredObject): ApiService {
  const { group = '', version = '', service, caBundle, ...rest } = (spec ?? {}) as Spec;
  const { namespace = '', name = '', port = HTTPS_PORT } = service ?? {};
  const conditions = (status?.conditions ?? []) as readonly { type?: string; status?: string }[];
  return {
    name: metadata.name,
    group,
    version,
    groupPriority: rest.groupPriorityMinimum ?? 0,
    versionPriority: rest.versionPriority ?? 0,
    service: service === undefined || service === null ? undefined : { namespace, name, port },
    caBundle: caBundle === undefined ? undefined : Buffer.from(caBundle, 'base64').toString(),
    insecure: rest.insecureSkipTLSVerify === true,
    available: conditions.some(({ type, status: is }) => type === 'Available' && is === 'True'),
  };
}

/** Returns the APIServices that other servers answer for. */
export function remoteApiServices(store: Store): readonly ApiService[] {
  return store
    .list(API_SERVICES)
    .map(readApiService)
    .filter(({ service }) => service !== undefined);
}

/** Returns the APIService of a group and version, if another server answers for it. */
export function remoteApiService(store: Store, group: string, version: string): ApiService | undefined {
  if (group === '') return undefined;
  const object = store.get(API_SERVICES, undefined, `${version}.${group}`);
  const found = object === undefined ? undefined : readApiService(object);
  return found?.service === undefined ? undefined : found;
}
