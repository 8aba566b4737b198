import type { AccessReview } from '@logtool/kube/src/client.ts';
import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { isNamespaceAllowed } from '../../domain/access/allowed-namespaces.ts';
import type { Identity } from '../front-proxy/read-identity.ts';
import { forbidden, type Status, unavailable } from '../status/status.ts';
import { answerWithin } from './answer-within.ts';
import { VerdictCache } from './verdict-cache.ts';

/** Why somebody may not read, and what to answer. `cause`: why the API server did not answer, for the log. */
export interface Refusal {
  readonly problem: 'namespace-not-allowed' | 'denied' | 'unanswered';
  readonly status: Status;
  readonly cause?: unknown;
}

export interface AccessReviewsOptions {
  readonly client: Pick<ClusterClient, 'reviewSubject'>;
  readonly clock: Clock;
  /** Empty: every namespace. */
  readonly allowedNamespaces: readonly string[];
}

/** Decides what callers may read: by the settings, and by the cluster's own permissions. */
export class AccessReviews {
  readonly #options: AccessReviewsOptions;
  readonly #verdicts: VerdictCache;

  constructor(options: AccessReviewsOptions) {
    this.#options = options;
    this.#verdicts = new VerdictCache(options.clock);
  }

  /** Whether the settings let anybody read logs of a namespace. */
  isNamespaceAllowed(namespace: string): boolean {
    return isNamespaceAllowed(this.#options.allowedNamespaces, namespace);
  }

  /**
   * Returns why the caller may not do all of this; undefined if it may. Throws only the signal's reason. Only a yes of
   * the API server to every question is a yes.
   */
  async refusalOf(
    identity: Identity,
    questions: readonly AccessReview[],
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    for (const question of questions) {
      const refusal = await this.#refusalOfOne(identity, question, signal);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  async #refusalOfOne(
    identity: Identity,
    question: AccessReview,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const { client, clock, allowedNamespaces } = this.#options;
    const status = forbidden(identity.user, question);
    if (!isNamespaceAllowed(allowedNamespaces, question.namespace)) {
      return { problem: 'namespace-not-allowed', status };
    }
    const verdict = await this.#verdicts.verdictOf(
      keyOf(identity, question),
      (own) =>
        answerWithin(clock, (limit) => client.reviewSubject(identity, question, { signal: limit }), own),
      signal,
    );
    if ('unanswered' in verdict) {
      return { problem: 'unanswered', status: unavailable('review'), cause: verdict.unanswered };
    }
    return verdict.answer ? undefined : { problem: 'denied', status };
  }
}

/** As JSON, which no value can leave: two identities never have the same key. */
function keyOf({ user, uid, groups, extra }: Identity, question: AccessReview): string {
  const { verb, group, resource, subresource, namespace, name } = question;
  const asked = [verb, group, resource, subresource ?? null, namespace ?? null, name ?? null];
  return JSON.stringify([user, uid, groups, Object.entries(extra), asked]);
}
