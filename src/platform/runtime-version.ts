/**
 * Ends the process on a Node.js that cannot run the service, before anything that would crash on it is loaded.
 * Every entry file imports it first.
 */
const LEAST = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
  process.stderr.write(
    `Workflow Service needs Node.js ${LEAST.join('.')} or newer; this is ${process.versions.node}. "npm start" and "npm run cli" bring their own.\n`,
  );
  process.exit(1);
}

export {};
