import type { UserConfig } from 'vite';

/** How Vite builds the dashboard's page. */
export const pageConfig: UserConfig;
