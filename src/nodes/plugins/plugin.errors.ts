/**
 * Thrown when a plug-in cannot be used. The message continues a sentence that starts with the plug-in's name, and says
 * how to fix the error.
 */
export class PluginFault extends Error {
  override readonly name = 'PluginFault';
}
