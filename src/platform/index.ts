export { type AddressNetwork, addressShare } from './address-share.js';
export { readBuildInfo } from './build/build-info.js';
export { ClockModule } from './clock/clock.module.js';
export { changeTime, CLOCK, type Clock, isoTime, systemClock } from './clock/clock.js';
export { instantOf } from './clock/instant.js';
export { firstIdAt, isId, newId } from './ids/id.js';
export { Port } from './port.js';
export { collectStartupGarbage } from './startup-garbage.js';
