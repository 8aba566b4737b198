/** Places the scripts of threads where a program finds them that runs from its sources. */
export declare function installThreads(): Promise<void>;
