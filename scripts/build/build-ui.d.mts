/** Builds the dashboard into a folder, which it empties first. */
export function buildUi(outDir: string): Promise<void>;
