import type { KubeClient, ResourceType } from '@logtool/kube/src/client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { WantedImage } from '../apply/images-of.ts';
import type { Kept } from '../apply/kept.ts';
import type { Target } from '../apply/target.ts';
import type { WaitProgress } from '../apply/wait.ts';
import type { Hook, HookEvent, Release } from '../release/release.ts';
import type { ReleaseStorage } from '../release/storage.ts';
import type { ChartWork } from '../render/chart-work.ts';

/** What an action tells while it goes on. */
export type Progress =
  | { readonly kind: 'created-namespace'; readonly name: string }
  | { readonly kind: 'applied' | 'deleted'; readonly target: Target }
  | { readonly kind: 'kept'; readonly kept: Kept }
  | { readonly kind: 'hook'; readonly hook: Hook; readonly event: HookEvent }
  | { readonly kind: 'images'; readonly images: readonly WantedImage[] }
  | { readonly kind: 'waiting'; readonly progress: WaitProgress }
  /** Lines of their own, whatever else is shown. */
  | { readonly kind: 'warning'; readonly lines: readonly string[] };

/** What every action works with. */
export interface ActionContext {
  readonly client: KubeClient;
  readonly storage: ReleaseStorage;
  readonly clock: Clock;
  /** Ends the action; what it was about is recorded first. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Takes a line that a hook has said, where the hook wants it told; waited for. */
  readonly onHookLog?: ((line: string) => void | Promise<void>) | undefined;
}

/** What an action works with that makes a revision out of a chart. */
export interface ChartActionContext extends ActionContext {
  readonly charts: ChartWork;
}

/** What every action that changes the cluster can be told. */
export interface ChangeOptions {
  /** Wait until all objects are ready. */
  readonly wait: boolean;
  readonly timeoutMs: number;
  /** Ask beforehand whether each right is there. Default true. */
  readonly preflight?: boolean | undefined;
  /** Revisions that are kept, the deployed one always; 0 keeps all. Default 10. */
  readonly historyMax?: number | undefined;
}

/** What every action on a release that exists can be told. */
export interface ExistingOptions extends ChangeOptions {
  readonly name: string;
  readonly namespace: string;
  /** Refuse a release of another chart than this one; undefined: any chart will do. */
  readonly onlyChart?: string | undefined;
  /** Report what would be done, and change nothing: only reading requests go out. */
  readonly dryRun?: boolean | undefined;
}

/** How many revisions are kept, as Helm does. */
export const HISTORY_MAX = 10;

/** All kinds that the cluster serves; read again where something may have been added. */
export function readTypes(context: ActionContext, again = false): Promise<readonly ResourceType[]> {
  return context.client.discover({ signal: context.signal, again });
}

/** A time as Go's JSON has it. */
export function timeText(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** The release with another status. */
export function withStatus(
  release: Release,
  status: Release['info']['status'],
  description = release.info.description,
): Release {
  return { ...release, info: { ...release.info, status, description } };
}
