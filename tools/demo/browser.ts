import { spawn } from 'node:child_process';

/** Opens an address in the person's browser, where there is one; failing that, nothing happens. */
export function openInBrowser(url: string): void {
  const [program, ...words] = opener(process.platform);
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

function opener(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  // The first word in quotes would be taken for the title of a window.
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return ['xdg-open'];
}
