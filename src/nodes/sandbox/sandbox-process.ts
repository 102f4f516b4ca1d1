/** A job for a sandboxed process. */
export interface SandboxJob {
  readonly program: string;
  readonly input: string;
  readonly limitMs: number;
}
