import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { texts } from '../texts/en/api.ts';
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

/** Returns the current dashboard sign-in. Throws an error if no user is signed in. */
export function useSignIn(): SignedInView {
  const { data } = useSuspenseQuery(signInQuery);
  if (data === null) throw new Error(texts.signInRequired);
  return data;
}

export type Scope = SignedInView['teams'][number]['scopes'][number];

/** Returns a function that checks whether the signed-in user has a scope in the selected team. */
export function useMay(): (scope: Scope) => boolean {
  const { teams, team_id } = useSignIn();
  const scopes = teams.find(({ id }) => id === team_id)?.scopes ?? [];
  return (scope) => scopes.includes(scope);
}

/** Stores a new sign-in and discards all cached data of the previous user or team. */
export function signedIn(signIn: SignedInView): void {
  const isOther = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
    queryKey[0] !== signInQuery.queryKey[0];
  setCsrfToken(signIn.csrf_token);
  queryClient.setQueryData(signInQuery.queryKey, signIn);
  queryClient.removeQueries({ type: 'inactive', predicate: isOther });
  void queryClient.resetQueries({ predicate: isOther });
}

/**
 * Clears all cached data and the CSRF token. Then the sign-in query is set to null, because mounted components are not
 * notified when the cache is cleared.
 */
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
