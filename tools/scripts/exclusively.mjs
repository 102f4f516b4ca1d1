/** A lock file with which only one of several processes runs a task at a time. */
import {
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;
const TOUCH_MS = 2_000;
/**
 * Age of a lock file in milliseconds after which the lock is abandoned. The process that holds the lock updates the
 * file every 2 s.
 */
const ABANDONED_MS = 20_000;

/**
 * Acquires a lock file, runs `work`, and releases the lock file.
 * @param {string} file path of the lock file
 * @param {() => Promise<void>} work
 * @param {() => void} onWait called once if another process holds the lock
 */
export async function exclusively(file, work, onWait) {
  for (let waited = false; !take(file); waited = true) {
    if (!waited) onWait();
    if (isAbandoned(file)) discard(file);
    else await delay(POLL_MS);
  }
  const touching = setInterval(() => utimesSync(file, new Date(), new Date()), TOUCH_MS);
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    clearInterval(touching);
    process.off('exit', release);
    release();
  }
}

function take(file) {
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(file) {
  try {
    return (
      Date.now() - statSync(file).mtimeMs > ABANDONED_MS ||
      !isAlive(Number(readFileSync(file, 'utf8') || NaN))
    );
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Returns whether the process that holds a lock is alive. True if the lock file contains no process id yet. */
function isAlive(pid) {
  if (Number.isNaN(pid)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

function discard(file) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
