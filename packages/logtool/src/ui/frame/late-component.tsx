import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/** A part of the page that the first load omits. */
export class LateComponent<P extends object> {
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

  /** Loads the part in advance. Resolves to false if that fails; a later load reports why. */
  preload(): Promise<boolean> {
    return this.load().then(
      () => true,
      () => false,
    );
  }
}

interface LateProps<P extends object> {
  readonly component: LateComponent<P>;
  readonly props: P;
  /** Shown until the part is loaded. */
  readonly waiting?: ReactNode;
}

/**
 * Draws a part once it is loaded. React's own `lazy` shows a fallback first even if the part is loaded, and
 * keeps it for 300 ms. Throws the load error, for the page's error boundary.
 */
export function Late<P extends object>({ component, props, waiting = null }: LateProps<P>) {
  const [{ Component, error }, setState] = useState<State<P>>(() => ({ Component: component.loaded }));
  useEffect(() => {
    if (Component !== undefined) return;
    let isGone = false;
    const take = (next: State<P>) => {
      if (!isGone) setState(next);
    };
    component.load().then(
      (loaded) => take({ Component: loaded }),
      (reason: unknown) => take({ error: reason ?? new Error('the browser cannot load a part of the page') }),
    );
    return () => {
      isGone = true;
    };
  }, [component, Component]);
  if (error !== undefined) throw error;
  return Component === undefined ? waiting : <Component {...props} />;
}

interface State<P> {
  readonly Component?: ComponentType<P> | undefined;
  readonly error?: unknown;
}
