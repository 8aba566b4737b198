import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { CollectionQuery, KubeClient, KubeObject, RequestOptions } from '@logtool/kube/src/client.ts';
import type { Target } from '../apply/target.ts';
import type { Hook } from '../release/release.ts';

export interface HookLogOptions extends RequestOptions {
  readonly client: KubeClient;
  /** Receives a line without its line break; reading waits for it. */
  readonly onLog?: ((line: string) => void | Promise<void>) | undefined;
  /** Called when a requested log cannot be read. */
  readonly onLogFailure?: ((hook: Hook, failure: Error) => void) | undefined;
}

interface HookPod extends KubeObject {
  readonly spec?: { readonly containers?: readonly { readonly name: string }[] };
}

/** Longer lines arrive in pieces. */
const LINE_LIMIT = 64 * 1024;

/**
 * Forwards the logs of the containers of a Job or a Pod, if the hook requests that for this outcome
 * (`helm.sh/hook-output-log-policy`, https://helm.sh/docs/topics/charts_hooks/). An unreadable log does not change the
 * outcome of the hook.
 */
export async function forwardLogs(
  hook: Hook,
  targets: readonly Target[],
  outcome: 'hook-succeeded' | 'hook-failed',
  { client, onLog, onLogFailure, signal }: HookLogOptions,
): Promise<void> {
  if (onLog === undefined || !hook.outputLogPolicies.includes(outcome)) return;
  for (const target of targets) {
    const query = podsOf(target);
    if (query === undefined) continue;
    try {
      for await (const { items } of client.list<HookPod>(PODS, query, { signal }))
        for (const pod of items) await forwardPod(client, pod, onLog, signal);
    } catch (error) {
      signal?.throwIfAborted();
      onLogFailure?.(hook, error as Error);
    }
  }
}

function podsOf({ object, namespace }: Target): CollectionQuery | undefined {
  if (object.kind === 'Job') return { namespace, labelSelector: `job-name=${object.name}` };
  return object.kind === 'Pod' ? { namespace, fieldSelector: `metadata.name=${object.name}` } : undefined;
}

async function forwardPod(
  client: KubeClient,
  { metadata: { namespace = '', name: pod }, spec }: HookPod,
  onLog: (line: string) => void | Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { name: container } of spec?.containers ?? []) {
    const { body } = await client.log({ namespace, pod, container }, { signal });
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) await onLog(line);
      if (rest.length <= LINE_LIMIT) continue;
      await onLog(rest);
      rest = '';
    }
    if (rest !== '') await onLog(rest);
  }
}
