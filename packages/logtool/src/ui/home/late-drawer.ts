import { LateComponent } from '../frame/late-component.tsx';

/** Opens over the page on narrow screens. */
export const DRAWER = new LateComponent(() => import('./drawer.tsx').then((module) => module.Drawer));
