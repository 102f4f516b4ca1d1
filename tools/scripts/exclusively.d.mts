/**
 * Acquires a lock file, runs `work`, and releases the lock file.
 * @param onWait called once if another process holds the lock
 */
export function exclusively(file: string, work: () => Promise<void>, onWait: () => void): Promise<void>;
