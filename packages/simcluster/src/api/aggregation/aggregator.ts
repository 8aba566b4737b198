import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Store } from '../../store/store.ts';
import type { ApiRequest, Reply } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import {
  API_SERVICES,
  type ApiService,
  readApiService,
  remoteApiService,
  remoteApiServices,
} from './api-service.ts';
import { checkAvailability } from './availability.ts';
import type { FrontProxy } from './front-proxy.ts';
import { Network } from './network.ts';
import { type ProxyContext, proxied } from './proxy.ts';
import { RemoteDiscovery, type RemoteGroup } from './remote-discovery.ts';
import { serviceProxy } from './service-proxy.ts';
import { Upstreams } from './upstream.ts';

export interface AggregatorOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly frontProxy: FrontProxy;
  /** Kept up to date: `GROUP/VERSION` of each group whose resources are unknown at present. */
  readonly staleGroups: Set<string>;
}

/** A real API server asks 10 times a minute, 5 at once. */
const CHECK_MS = 30_000;

/** Lets extension API servers answer for the groups of APIServices. */
export class Aggregator {
  readonly #context: ProxyContext & { readonly network: Network };
  /** Asks without the front proxy's certificate: for `services/proxy`. */
  readonly #strangers: Upstreams;
  readonly #discovery: RemoteDiscovery;
  /** The latest check of each APIService: an earlier one that is still under way counts no more. */
  readonly #checks = new Map<string, AbortController>();
  readonly #stops: (() => void)[] = [];
  #turn = 0;

  constructor({ store, clock, frontProxy, staleGroups }: AggregatorOptions) {
    const network = new Network();
    const upstreams = new Upstreams(network, frontProxy.identity, clock);
    this.#strangers = new Upstreams(network, undefined, clock);
    this.#context = { store, clock, network, upstreams };
    this.#discovery = new RemoteDiscovery(staleGroups);
  }

  /** Returns the APIService that answers for a path; undefined if the API server answers itself. */
  serviceOf(path: string): ApiService | undefined {
    const [, group, version] = /^\/apis\/([^/]+)\/([^/]+)/.exec(path) ?? [];
    if (group === undefined || version === undefined) return undefined;
    return remoteApiService(this.#context.store, group, version);
  }

  reply(request: ApiRequest, info: RequestInfo, apiService: ApiService): Promise<Reply> {
    return proxied(this.#context, request, info, apiService, this.#turn++);
  }

  /** Returns what a service answers to `services/NAME/proxy/...`. */
  serviceReply(request: ApiRequest, info: RequestInfo): Promise<Reply> {
    return serviceProxy(this.#context.store, this.#strangers, request, info, this.#turn++);
  }

  groups(): readonly RemoteGroup[] {
    return this.#discovery.groups(this.#context.store);
  }

  /** Starts to check whether the servers answer. */
  start(): void {
    const { store } = this.#context;
    this.#stops.push(
      store.subscribe(API_SERVICES, ({ type, object, before }) => {
        const apiService = readApiService(object);
        if (type === 'DELETED') this.#forget(apiService);
        else if (before?.spec !== object.spec) this.#check(apiService);
      }),
      store.subscribe('services', ({ object: { metadata } }) =>
        this.#checkService(metadata.namespace, metadata.name),
      ),
      store.subscribe('endpointslices.discovery.k8s.io', ({ object: { metadata } }) =>
        this.#checkService(metadata.namespace, metadata.labels?.['kubernetes.io/service-name']),
      ),
    );
    this.#checkAll();
  }

  /** Stops all checks and connections. */
  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    for (const check of this.#checks.values()) check.abort();
    this.#checks.clear();
    this.#context.upstreams.close();
    this.#strangers.close();
  }

  /**
   * Lets a server on a port of 127.0.0.1 answer at an address of the cluster (port 0: nobody), and checks whether
   * services answer, as if the readiness of a pod had changed.
   */
  route(address: string, port: number, localPort: number): void {
    this.#context.network.route(address, port, localPort);
    if (this.#stops.length === 0) return;
    for (const apiService of remoteApiServices(this.#context.store)) this.#check(apiService);
  }

  #checkAll(): void {
    const { store, clock } = this.#context;
    for (const apiService of remoteApiServices(store)) this.#check(apiService);
    const cancel = clock.after(CHECK_MS, () => {
      this.#stops.splice(this.#stops.indexOf(cancel), 1);
      this.#checkAll();
    });
    this.#stops.push(cancel);
  }

  #checkService(namespace: string | undefined, name: string | undefined): void {
    for (const apiService of remoteApiServices(this.#context.store)) {
      const { service } = apiService;
      if (service?.namespace === namespace && service?.name === name) this.#check(apiService);
    }
  }

  #check(apiService: ApiService): void {
    if (apiService.service === undefined) {
      this.#forget(apiService);
      return;
    }
    this.#checks.get(apiService.name)?.abort();
    const check = new AbortController();
    this.#checks.set(apiService.name, check);
    void this.#checked(apiService, check.signal);
  }

  async #checked({ name, group, version }: ApiService, signal: AbortSignal): Promise<void> {
    const current = () => remoteApiService(this.#context.store, group, version);
    const before = current();
    if (before?.name !== name) return;
    await checkAvailability(this.#context, before, signal);
    const after = current();
    if (after !== undefined && !signal.aborted) await this.#discovery.refresh(this.#context, after, signal);
  }

  #forget(apiService: ApiService): void {
    this.#checks.get(apiService.name)?.abort();
    this.#checks.delete(apiService.name);
    this.#discovery.forget(apiService);
  }
}
