import { readFileSync, statfsSync } from 'node:fs';

/** Mount point of the file system that Linux keeps in memory. */
const SHARED_MEMORY = '/dev/shm';
/** Bytes that must be free in the file system and in memory. The tests use about 0.5 GiB; the rest is a reserve. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * Returns a directory in memory for the temporary files of tests. Tests create and delete many files, such as databases.
 * On the file system ext4, creating a file is slow after many deletions, because ext4 does not reuse the inodes of
 * recently deleted files. There, copying a PostgreSQL database takes up to 0.5 s of CPU time; in memory, it takes 0.05 s.
 *
 * @returns undefined if there is no such directory, if it is too small, or if programs in it cannot run
 */
export function memoryFolder() {
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    const hasSpace = bavail * bsize >= NEEDED_BYTES && process.availableMemory() >= NEEDED_BYTES;
    return hasSpace && mayRunPrograms() ? SHARED_MEMORY : undefined;
  } catch {
    return undefined;
  }
}

function mayRunPrograms() {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const [, , , options = 'noexec'] =
    mounts.find((line) => line.split(' ')[1] === SHARED_MEMORY)?.split(' ') ?? [];
  return !options.split(',').includes('noexec');
}
