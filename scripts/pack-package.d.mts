/** Makes the folder of a package of packages/ as others install it. */
export function stagePackage(name: string, folder: string): void;
