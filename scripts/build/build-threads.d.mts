/** Puts the scripts of threads where a program that runs from its sources finds them. */
export declare function installThreads(): Promise<void>;
