import { setMaxListeners } from 'node:events';
import type { Kind } from './watched-kinds.ts';

/** A kind of objects in a namespace, or (undefined) in the whole cluster. */
interface Scope {
  readonly name: string;
  readonly kind: Kind;
  readonly namespace: string | undefined;
}

export type Running = Scope & { readonly signal: AbortSignal };

interface Inspected extends Scope {
  readonly stop: AbortController;
}

/** The watched scopes, each until it is stopped or the feed ends. */
export class Scopes {
  readonly #feed: AbortSignal;
  readonly #running = new Map<string, Inspected>();
  /** Ends the current attempt of each scope. */
  readonly #attempts = new Map<string, AbortController>();

  constructor(feed: AbortSignal) {
    this.#feed = feed;
  }

  /** Starts a scope. Returns undefined if it is already watched. */
  start(kind: Kind, namespace: string | undefined): Running | undefined {
    const name = `${kind} ${namespace ?? '*'}`;
    if (this.#running.has(name)) return undefined;
    const scope = { name, kind, namespace };
    const stop = new AbortController();
    this.#running.set(name, { ...scope, stop });
    return { ...scope, signal: either(this.#feed, stop.signal) };
  }

  /** Returns a signal for one attempt, which ends with `signal`, or when the scope must retry at once. */
  attempt(name: string, signal: AbortSignal): AbortSignal {
    const attempt = new AbortController();
    this.#attempts.set(name, attempt);
    return either(signal, attempt.signal);
  }

  askAgain(names: readonly string[]): void {
    for (const name of names) this.#attempts.get(name)?.abort(new Error('asked again'));
  }

  /** Stops the watches of all namespaces but these; returns them. */
  keep(isKept: (namespace: string) => boolean): readonly (Scope & { readonly namespace: string })[] {
    const stopped: (Scope & { readonly namespace: string })[] = [];
    for (const { name, kind, namespace, stop } of this.#running.values()) {
      if (namespace === undefined || isKept(namespace)) continue;
      stop.abort(new Error('no client needs it now'));
      this.#running.delete(name);
      this.#attempts.delete(name);
      stopped.push({ name, kind, namespace });
    }
    return stopped;
  }
}

function either(...signals: readonly AbortSignal[]): AbortSignal {
  const any = AbortSignal.any([...signals]);
  setMaxListeners(0, any);
  return any;
}
