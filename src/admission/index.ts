export { AdmissionModule } from './admission.module.js';
export { AdmissionRepository, leaving, SlotTakenError } from './admission.repository.js';
export { freeSlots, type Gates, type ParkedReason, placeIn } from './gates.js';
