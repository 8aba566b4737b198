import { ownedByController } from '../../controllers/controller-owner.ts';
import { timeText } from '../../controllers/objects.ts';
import type { Store } from '../../store/store.ts';
import { API_SERVICES, type ApiService } from './api-service.ts';
import { askForItself } from './ask-itself.ts';
import type { Target } from './connect.ts';
import { endpointsOf, type Unavailable } from './endpoint.ts';
import { hostPort } from './network.ts';
import { type ProxyContext, targetOf } from './proxy.ts';

/** A check asks this many times at once, and one answer is enough. */
const ATTEMPTS = 5;
const PASSED: Unavailable = { reason: 'Passed', message: 'all checks passed' };

/**
 * Checks an APIService whose service is another server, and writes its condition `Available` if that changes
 * (kube-aggregator: available_controller). The check takes any certificate, so a wrong `caBundle` passes it.
 */
export async function checkAvailability(
  context: ProxyContext,
  apiService: ApiService,
  signal: AbortSignal,
): Promise<void> {
  const { store } = context;
  if (apiService.service === undefined) return;
  const endpoints = endpointsOf(store, apiService.service);
  const problem = 'reason' in endpoints ? endpoints : await discoveryProblem(context, apiService, signal);
  if (!signal.aborted) writeCondition(context, apiService.name, problem);
}

async function discoveryProblem(
  context: ProxyContext,
  apiService: ApiService,
  signal: AbortSignal,
): Promise<Unavailable | undefined> {
  const attempts = Array.from({ length: ATTEMPTS }, async (_, turn) => {
    const target = targetOf(context.store, { ...apiService, caBundle: undefined, insecure: true }, turn);
    if (target === undefined) throw new Error('the endpoints have gone');
    await checkDiscovery(context, apiService, target, signal);
  });
  try {
    await Promise.any(attempts);
    return undefined;
  } catch (error) {
    const last = (error as AggregateError).errors.at(-1) as Error;
    return { reason: 'FailedDiscoveryCheck', message: last.message };
  }
}

async function checkDiscovery(
  context: ProxyContext,
  { group, version }: ApiService,
  target: Target,
  signal: AbortSignal,
): Promise<void> {
  const path = `/apis/${group}/${version}`;
  const url = `https://${hostPort(target.address, target.port)}${path}`;
  const failed = (why: string) => new Error(`failing or missing response from ${url}: ${why}`);
  let status: number;
  try {
    ({ status } = await askForItself(context, target, path, signal));
  } catch (error) {
    throw failed(`Get ${JSON.stringify(url)}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (status < 200 || status >= 300) throw failed(`bad status from ${url}: ${status}`);
}

function writeCondition(
  { store, clock }: { readonly store: Store; readonly clock: ProxyContext['clock'] },
  name: string,
  problem: Unavailable | undefined,
): void {
  const now = timeText(clock.now());
  const { reason, message } = problem ?? PASSED;
  const status = problem === undefined ? 'True' : 'False';
  const current = store.get(API_SERVICES, undefined, name);
  if (current === undefined) return;
  const conditions = (current.status?.conditions ?? []) as readonly Readonly<Record<string, unknown>>[];
  const before = conditions.find(({ type }) => type === 'Available');
  if (before?.status === status && before.reason === reason && before.message === message) return;
  // The time is that of the last change of the status, not of its reason.
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
  const available = { type: 'Available', status, lastTransitionTime, reason, message };
  const others = conditions.filter(({ type }) => type !== 'Available');
  const changed = { ...current, status: { ...current.status, conditions: [...others, available] } };
  const metadata = ownedByController(current, changed, now, 'kube-apiserver');
  store.replace(API_SERVICES, current, { status: changed.status, metadata });
}
