import { spawn } from 'node:child_process';

/** Opens a URL in the user's browser. Does nothing if no browser can be started. */
export function openInBrowser(url: string): void {
  const [program, ...words] = opener(process.platform);
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

function opener(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // The Windows command `start` uses its first quoted argument as the window title, so an empty title precedes the URL.
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return ['xdg-open'];
}
