export class NodeTypeRegistrationError extends Error {
  override readonly name = 'NodeTypeRegistrationError';

  constructor(className: string, reason: string) {
    super(`The node type class ${className} cannot be registered: ${reason}`);
  }
}
