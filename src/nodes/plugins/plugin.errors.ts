/**
 * Thrown when a plug-in cannot be used. The message completes a sentence that starts with the name of the plug-in, and
 * says how to fix the error.
 */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
}
