export const texts = {
  serviceUnreachable: 'The service is not responding. Check that it is running, then try again.',
  unexpectedStatus: (status: number) => `The service responded with status ${status}. Try again in a moment.`,
  entry: (entry: number, reason: string) => `Entry ${entry}: ${reason}`,
  newVersion: 'The service was updated. Reload the page to continue.',
  signInRequired: 'This page requires sign-in.',
};
