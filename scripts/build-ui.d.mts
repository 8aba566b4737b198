/** Builds the dashboard into a folder, which is emptied before. */
export function buildUi(outDir: string): Promise<void>;
