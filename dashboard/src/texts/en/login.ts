export const texts = {
  signIn: 'Sign in',
  checkingPassword: 'Checking your password. After several failed attempts, the check takes up to 8 seconds.',
  signInFailed: 'Sign-in failed.',
  noAccountYet: 'No account exists yet. Open the link that the service printed when it started.',
  email: 'Email',
  password: 'Password',
  tooManyAttempts: 'Too many sign-in attempts from your network.',
  tryAgainIn: (seconds: string) => `Try again in ${seconds}.`,
};
