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
  /** A log that the hook asks for. */
  | { readonly kind: 'hook-log-unreadable'; readonly hook: Hook; readonly failure: Error }
  | { readonly kind: 'images'; readonly images: readonly WantedImage[] }
  | { readonly kind: 'waiting'; readonly progress: WaitProgress }
  /** Reported once for each image, or for each pod of a revision before. */
  | { readonly kind: 'image-trouble'; readonly trouble: ImageTrouble; readonly retry: ImageRetry };

/** What every action works with. */
export interface ActionContext {
  readonly client: KubeClient;
  readonly storage: ReleaseStorage;
  readonly clock: Clock;
  /** Ends the action; what it was about is recorded first. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Takes a line of a hook's log, if the hook asks for that; the action waits for it. */
  readonly onHookLog?: ((line: string) => void | Promise<void>) | undefined;
  /** What a record of the release says of a failure, in a text for people; its code and data where left out. */
  readonly describe?: ((failure: CodedError | KubeError) => string) | undefined;
}

/** What an action works with that makes a revision out of a chart. */
export interface ChartActionContext extends ActionContext {
  readonly charts: ChartWork;
}

/** The options of every action that changes the cluster. */
export interface ChangeOptions {
  /** Wait until all objects are ready. */
  readonly wait: boolean;
  readonly timeoutMs: number;
  /** Check every permission before anything is changed. Default true. */
  readonly preflight?: boolean | undefined;
  /** Revisions that are kept, the deployed one always; 0 keeps all. Default 10. */
  readonly historyMax?: number | undefined;
}

/** The options of every action on a release that exists. */
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
