/** Texts of the about page. */
export const texts = {
  about: 'About',
  couldNotLoadVersion: "Couldn't load the version.",
  tryAgain: 'Try again',
  version: 'Version',
  commit: 'Commit',
  unknown: 'unknown',
  theCommit: 'the commit',
  built: 'Built',
  runningSince: 'Running since',
  apiVersions: 'API versions',
  versionsAndDeprecated: (versions: string, deprecated: string) => `${versions}; deprecated: ${deprecated}`,
  apiReference: 'API reference',
  tryApi: 'Try the API',
};
