/**
 * The formats of the configuration file; if several default files exist, the order in `locate.ts` applies.
 */
export const CONFIG_FORMATS = ['yaml', 'json', 'toml'] as const;
export type ConfigFormat = (typeof CONFIG_FORMATS)[number];
