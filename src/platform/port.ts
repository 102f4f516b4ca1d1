/** Thrown when code uses a port to which no adapter is connected, because the application lacks a module. */
export class PortNotConnectedError extends Error {
  override readonly name = 'PortNotConnectedError';

  constructor(port: string) {
    super(`No adapter is connected to ${port}. Import the module that provides its adapter.`);
  }
}

/**
 * Lets a lower module call a higher module that it must not import (see ARCHITECTURE.md). The lower module provides and
 * exports the port. The higher module provides the adapter. The constructor of the adapter injects the port and
 * connects the adapter to the port.
 */
export abstract class Port<Adapter extends object> {
  private connected: Adapter | null = null;

  connect(adapter: Adapter): void {
    this.connected = adapter;
  }

  /** @throws PortNotConnectedError */
  get adapter(): Adapter {
    if (this.connected === null) throw new PortNotConnectedError(this.constructor.name);
    return this.connected;
  }
}
