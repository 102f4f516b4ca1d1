import { EffectGuardModule } from '../instances/index.js';
import { SandboxWallReport } from './sandbox/sandbox-wall-report.js';
import { Module } from '@nestjs/common';
import { CODE_POOL, CodeNode, codePool } from './code/code.node.js';
import { DelayNode } from './delay/delay.node.js';
import { FailNode } from './fail/fail.node.js';
import { ForeachNode } from './foreach/foreach.node.js';
import { EgressAgent } from './http/egress-agent.js';
import { HTTP_TIMEOUT_MS, HttpNode } from './http/http.node.js';
import { SetNode } from './set/set.node.js';
import { WaitNode } from './wait/wait.node.js';
import { WorkflowNode } from './workflow/workflow.node.js';
import { TRANSFORM_POOL, TransformNode, transformPool } from './transform/transform.node.js';

/** The built-in node types. */
@Module({
  imports: [EffectGuardModule],
  providers: [
    EgressAgent,
    SandboxWallReport,
    { provide: HTTP_TIMEOUT_MS, useValue: 30_000 },
    SetNode,
    HttpNode,
    { provide: TRANSFORM_POOL, useFactory: () => transformPool() },
    TransformNode,
    { provide: CODE_POOL, useFactory: () => codePool() },
    CodeNode,
    DelayNode,
    FailNode,
    ForeachNode,
    WaitNode,
    WorkflowNode,
  ],
})
export class NodeTypesModule {}
