import type { UserConfig } from 'vite';

/** Vite's configuration for the dashboard's page. */
export const pageConfig: UserConfig;
