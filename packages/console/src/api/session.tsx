import type { CallResult } from "@reelmill/client";
import { isReelmillError } from "@reelmill/client";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { setAccount } from "./account.ts";
import { createCaller } from "./client.ts";
import { sessionKey } from "./query-client.ts";

export type Session = CallResult<"getConsoleSession">;
export type SessionDomain = Session["domains"][number];

/** Who is signed in; null if nobody is. Any other failure, such as `account_disabled`, is the query's error. */
export const sessionQuery = queryOptions({
	queryKey: sessionKey,
	queryFn: async ({ signal }): Promise<Session | null> => {
		try {
			const session = await createCaller(null)("getConsoleSession", {}, { signal });
			setAccount(session.account.id);
			return session;
		} catch (error) {
			if (isReelmillError(error) && error.code === "unauthorized") return null;
			throw error;
		}
	},
	staleTime: 60_000,
	refetchInterval: 60_000,
	refetchOnWindowFocus: "always",
});

/** The session of the page's frame. It is there in every view: without one the frame shows the sign-in page. */
export function useSession(): Session {
	const { data } = useQuery(sessionQuery);
	if (!data) throw new Error("useSession needs somebody who is signed in.");
	return data;
}

export const useIsAdmin = (): boolean => useSession().account.role === "admin";

/** Takes over a new session: what another account had read is forgotten. */
export function signedIn(queryClient: QueryClient, session: Session): void {
	queryClient.clear();
	setAccount(session.account.id);
	queryClient.setQueryData(sessionKey, session);
}

/** Signs out, here and in every other tab, and forgets all that was read and chosen. */
export function useSignOut(): () => Promise<void> {
	const queryClient = useQueryClient();
	return async () => {
		await createCaller(null)("deleteConsoleSession", {}).catch((error: unknown) => {
			if (!isReelmillError(error) || error.code !== "unauthorized") throw error;
		});
		queryClient.clear();
		setAccount(null);
		queryClient.setQueryData(sessionKey, null);
	};
}
