/**
 * Ends the process on a Node.js that cannot run the service, before anything that would crash on it is loaded.
 * Every entry file imports it first; the test script of a plug-in imports it as `workflow-service/node-version`.
 */
const LEAST = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
  process.stderr.write(
    `Workflow Service and the tests of its plug-ins need Node.js ${LEAST.join('.')} or newer; this is ${process.versions.node}. "npm start", "npm run cli" and "npm test" bring their own; "npm rebuild node" installs it where it is missing.\n`,
  );
  process.exit(1);
}

export {};
