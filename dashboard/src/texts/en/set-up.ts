import type { ReactNode } from 'react';
import { rich } from '../rich.ts';

export const texts = {
  accountExists: 'The admin account already exists',
  accountExistsHint:
    'The set-up link creates only the first account. Ask an admin for an invitation, or sign in.',
  signIn: 'Sign in',
  linkInvalid: 'This link was used or has expired',
  linkMissing: 'Open the set-up link from the terminal',
  linkHint:
    'While no account exists, the service prints a set-up link at each start. The link works once and expires after 30 minutes.',
  newLinkHint: (code: ReactNode) =>
    rich`Stop the service and start it again with ${code}. Then open the link that the terminal shows below “First run”.`,
  createAdminAccount: 'Create the admin account',
  createHint: 'The admin has full access and can invite other people.',
  accountWasNotCreated: 'The account was not created.',
  email: 'Email',
  name: 'Name',
  password: 'Password',
  createAccount: 'Create account',
};
