import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import {
  answer,
  csrfHeaders,
  readCurrentSignIn,
  setCsrfToken,
  type SignedInView,
  signOut as endSignIn,
  switchTeam as lookAtTeam,
} from './client.ts';
import { queryClient } from './query-client.ts';

/** Who is signed in; null for nobody. */
export const signInQuery = queryOptions({
  queryKey: ['sign-in'],
  staleTime: Infinity,
  gcTime: Infinity,
  queryFn: async ({ signal }): Promise<SignedInView | null> => {
    try {
      const signIn = await answer(readCurrentSignIn({ signal }));
      setCsrfToken(signIn.csrf_token);
      return signIn;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** The sign-in of a page behind the sign-in. */
export function useSignIn(): SignedInView {
  const { data } = useSuspenseQuery(signInQuery);
  if (data === null) throw new Error('This page is shown to nobody.');
  return data;
}

export type Scope = SignedInView['teams'][number]['scopes'][number];

/** What the signed in person may do in the team that is looked at: buttons for the rest are not shown. */
export function useMay(): (scope: Scope) => boolean {
  const { teams, team_id } = useSignIn();
  const scopes = teams.find(({ id }) => id === team_id)?.scopes ?? [];
  return (scope) => scopes.includes(scope);
}

/** Takes over what signing in answered; what was known before belonged to somebody else. */
export function signedIn(signIn: SignedInView): void {
  const isOther = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
    queryKey[0] !== signInQuery.queryKey[0];
  setCsrfToken(signIn.csrf_token);
  // Set, not cleared: mounted components observe the sign-in, and a cleared query notifies nobody.
  queryClient.setQueryData(signInQuery.queryKey, signIn);
  queryClient.removeQueries({ type: 'inactive', predicate: isOther });
  void queryClient.resetQueries({ predicate: isOther });
}

/** Forgets everything that the signed in person saw. */
export function forget(): void {
  queryClient.clear();
  setCsrfToken(null);
  queryClient.setQueryData(signInQuery.queryKey, null);
}

export async function signOut(): Promise<void> {
  await answer(endSignIn({ headers: csrfHeaders() }));
  forget();
}

export async function switchTeam(teamId: string): Promise<void> {
  signedIn(await answer(lookAtTeam({ headers: csrfHeaders(), body: { team_id: teamId } })));
}
