import { Module } from '@nestjs/common';
import { EffectGuardModule } from '../instances/index.js';
import { SchemasAreTested } from '../nodes/index.js';
import * as builtInTypes from './built-in-types.js';
import { CODE_POOL, codePool } from './code/code.node.js';
import { EgressAgent } from './http/egress-agent.js';
import { HTTP_TIMEOUT_MS } from './http/http.node.js';
import { SandboxIsolationReport } from './sandbox/sandbox-isolation-report.js';
import { TRANSFORM_POOL, transformPool } from './transform/transform.node.js';

@SchemasAreTested()
@Module({
  imports: [EffectGuardModule],
  providers: [
    ...Object.values(builtInTypes),
    EgressAgent,
    SandboxIsolationReport,
    { provide: HTTP_TIMEOUT_MS, useValue: 30_000 },
    { provide: TRANSFORM_POOL, useFactory: () => transformPool() },
    { provide: CODE_POOL, useFactory: () => codePool() },
  ],
})
export class NodeTypesModule {}
