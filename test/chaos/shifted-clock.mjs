/**
 * This module is preloaded into a service with `--import`. The module shifts `Date` by the milliseconds in the file
 * `CLOCK_SHIFT_FILE`, which the module reads every 50 ms. Timers are not affected, as when the clock of a machine is
 * changed.
 */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT_FILE;
const RealDate = Date;
let shiftMs = 0;

function readShift() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'));
  } catch {
    shiftMs = 0;
  }
}

if (file !== undefined) {
  readShift();
  setInterval(readShift, 50).unref();
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + shiftMs);
      else super(...args);
    }

    static now() {
      return RealDate.now() + shiftMs;
    }
  };
}
