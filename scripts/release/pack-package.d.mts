/** Creates the published folder of a package in packages/. */
export function stagePackage(name: string, folder: string): void;
