export { EffectGuardModule } from './effect-guard.module.js';
export { EffectGuard, EffectHeldError, type LeaseWatch } from './effect-guard.js';
export { InstanceRegistry, isInstanceDead } from './instance-registry.js';
export { InstanceEntity } from './instance.entity.js';
export { type Instance, InstanceRepository, instancesOf } from './instance.repository.js';
export { InstancesModule } from './instances.module.js';
