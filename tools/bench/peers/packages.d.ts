/** Type declarations for the packages of other engines, so that type checks work without these packages. */
declare module '@dbos-inc/dbos-sdk' {
  type Work<Input, Output> = (input: Input) => Promise<Output>;

  export const DBOS: {
    setConfig(config: {
      readonly name: string;
      readonly systemDatabaseUrl: string;
      readonly systemDatabasePoolSize: number;
      readonly logLevel: string;
    }): void;
    launch(): Promise<void>;
    shutdown(): Promise<void>;
    registerWorkflow<Input, Output>(
      work: Work<Input, Output>,
      options: { readonly name: string },
    ): Work<Input, Output>;
    registerQueue(
      name: string,
      options: { readonly workerConcurrency: number; readonly minPollingIntervalMs: number },
    ): Promise<unknown>;
    startWorkflow<Input, Output>(
      work: Work<Input, Output>,
      options: { readonly queueName: string },
    ): Work<Input, { readonly workflowID: string }>;
    runStep<T>(work: () => Promise<T>, options: { readonly name: string }): Promise<T>;
  };
}

declare module '@restatedev/restate-sdk' {
  export interface Context {
    run<T>(name: string, work: () => T): Promise<T>;
  }

  export interface Service {
    readonly name: string;
  }

  export function service(definition: {
    readonly name: string;
    readonly handlers: Readonly<Record<string, (context: Context, input: never) => Promise<unknown>>>;
  }): Service;

  export const RestatePromise: {
    all<T>(promises: readonly Promise<T>[]): Promise<T[]>;
  };

  /**
   * @returns the port
   */
  export function serve(options: {
    readonly services: readonly Service[];
    readonly port: number;
  }): Promise<number>;
}
