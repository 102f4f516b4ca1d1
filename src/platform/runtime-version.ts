/**
 * Oldest supported version of Node.js. Every entry file imports this module first, because other modules crash on
 * older versions.
 */
const LEAST = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
  process.stderr.write(
    `Workflow Service and the tests of its plug-ins need Node.js ${LEAST.join('.')} or newer; this is ${process.versions.node}. "npm start", "npm run cli" and "npm test" use their own Node.js. If it is missing, "npm rebuild node" installs it.\n`,
  );
  process.exit(1);
}

export {};
