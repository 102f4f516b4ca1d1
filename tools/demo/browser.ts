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
  // The empty argument is the window title, because `start` takes the first quoted argument as the title.
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return ['xdg-open'];
}
