import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/** A part of the page that the first load does without. */
export class LatePart<P extends object> {
  readonly #load: () => Promise<ComponentType<P>>;
  #loaded: ComponentType<P> | undefined;

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load;
  }

  /** The part, once loaded. */
  get loaded(): ComponentType<P> | undefined {
    return this.#loaded;
  }

  async load(): Promise<ComponentType<P>> {
    this.#loaded = await this.#load();
    return this.#loaded;
  }

  /** Gets it ready before it is asked for. False if it cannot be had now: asking for it says why. */
  preload(): Promise<boolean> {
    return this.load().then(
      () => true,
      () => false,
    );
  }
}

interface LateProps<P extends object> {
  readonly part: LatePart<P>;
  readonly props: P;
  /** Shown until the part is loaded. */
  readonly waiting?: ReactNode;
}

/**
 * Draws a part once it is loaded. React's own `lazy` shows a fallback first even if the part is loaded, and
 * then keeps that for 300 ms, however soon it comes. Throws the load error, for the page's boundary.
 */
export function Late<P extends object>({ part, props, waiting = null }: LateProps<P>) {
  const [{ Part, error }, setState] = useState<State<P>>(() => ({ Part: part.loaded }));
  useEffect(() => {
    if (Part !== undefined) return;
    let isGone = false;
    const take = (next: State<P>) => {
      if (!isGone) setState(next);
    };
    part.load().then(
      (loaded) => take({ Part: loaded }),
      (reason: unknown) => take({ error: reason ?? new Error('a part of the page cannot be loaded') }),
    );
    return () => {
      isGone = true;
    };
  }, [part, Part]);
  if (error !== undefined) throw error;
  return Part === undefined ? waiting : <Part {...props} />;
}

interface State<P> {
  readonly Part?: ComponentType<P> | undefined;
  readonly error?: unknown;
}
