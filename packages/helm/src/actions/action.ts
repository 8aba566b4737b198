import type { KubeClient, ResourceType } from '@logtool/kube/src/client.ts';
import type { KubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ImageTrouble } from '../apply/image-trouble.ts';
import type { WantedImage } from '../apply/images-of.ts';
import type { Kept } from '../apply/kept.ts';
import type { Target } from '../apply/target.ts';
import type { WaitProgress } from '../apply/wait.ts';
import type { ImageRetry } from '../failures.ts';
import type { Hook, HookEvent, Release } from '../release/release.ts';
import type { ReleaseStorage } from '../release/storage.ts';
import type { ChartWork } from '../render/chart-work.ts';

/** What an action reports while it runs. */
export type Progress =
  | { readonly kind: 'created-namespace'; readonly name: string }
  | { readonly kind: 'applied' | 'deleted'; readonly target: Target }
  | { readonly kind: 'kept'; readonly kept: Kept }
  | { readonly kind: 'hook'; readonly hook: Hook; readonly event: HookEvent }
  /** The log of a hook that requests its log. */
  | { readonly kind: 'hook-log-unreadable'; readonly hook: Hook; readonly failure: Error }
  | { readonly kind: 'images'; readonly images: readonly WantedImage[] }
  | { readonly kind: 'waiting'; readonly progress: WaitProgress }
  /** Reported once for each image, or once for each pod of a previous revision. */
  | { readonly kind: 'image-trouble'; readonly trouble: ImageTrouble; readonly retry: ImageRetry };

/** The context in which every action runs. */
export interface ActionContext {
  readonly client: KubeClient;
  readonly storage: ReleaseStorage;
  readonly clock: Clock;
  /** Aborts the action, which first records the state of the release. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Receives each log line of a hook that requests its log; the action awaits the result. */
  readonly onHookLog?: ((line: string) => void | Promise<void>) | undefined;
  /** Describes a failure for a release record, as text for people. Default: its code and data. */
  readonly describe?: ((failure: CodedError | KubeError) => string) | undefined;
}

/** The context of an action that renders a chart into a revision. */
export interface ChartActionContext extends ActionContext {
  readonly charts: ChartWork;
}

/** The options of every action that changes the cluster. */
export interface ChangeOptions {
  /** Wait until all objects are ready. */
  readonly wait: boolean;
  readonly timeoutMs: number;
  /** Check every permission before the first change. Default true. */
  readonly preflight?: boolean | undefined;
  /** Revisions to keep, always including the deployed one; 0 keeps all. Default 10. */
  readonly historyMax?: number | undefined;
}

/** The options of every action on an existing release. */
export interface ExistingOptions extends ChangeOptions {
  readonly name: string;
  readonly namespace: string;
  /** Refuse releases of any other chart; undefined accepts every chart. */
  readonly onlyChart?: string | undefined;
  /** Report what would be done, and change nothing: send only read requests. */
  readonly dryRun?: boolean | undefined;
}

/** How many revisions to keep; Helm's default. */
export const HISTORY_MAX = 10;

/** Returns all kinds that the cluster serves; `again` repeats the discovery, because an action may have added some. */
export function readTypes(context: ActionContext, again = false): Promise<readonly ResourceType[]> {
  return context.client.discover({ signal: context.signal, again });
}

/** Returns the current time in the format of Go's JSON. */
export function timeText(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Returns the release with another status. */
export function withStatus(
  release: Release,
  status: Release['info']['status'],
  description = release.info.description,
): Release {
  return { ...release, info: { ...release.info, status, description } };
}
