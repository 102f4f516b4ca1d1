/**
 * Loaded before a service (`--import`): its clock is off by as many milliseconds as the file CLOCK_SHIFT_FILE says,
 * looked at every 50 ms, as if somebody set the machine's clock. Timers run on, as they do when that happens.
 */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT_FILE;
const RealDate = Date;
let shiftMs = 0;

function look() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'));
  } catch {
    shiftMs = 0;
  }
}

if (file !== undefined) {
  look();
  setInterval(look, 50).unref();
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
