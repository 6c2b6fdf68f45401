import { ConnectionError, isReelmillError } from "@reelmill/client";
import { QueryCache, QueryClient } from "@tanstack/react-query";

/** Codes after which the session is to be asked for again: it has ended, or its account is disabled. */
const ended = new Set(["unauthorized", "account_disabled"]);

export const sessionKey = ["session"] as const;

export const isSessionEnd = (error: unknown): boolean => isReelmillError(error) && ended.has(error.code);

/**
 * Makes the cache of all that was read. Old data stays on the page while it is read again and if that fails. A read
 * without an answer is tried again every few seconds; one that was refused is not.
 */
export function createQueryClient(): QueryClient {
	const queryClient: QueryClient = new QueryClient({
		queryCache: new QueryCache({
			onError: (error, query) => {
				if (isSessionEnd(error) && query.queryKey[0] !== sessionKey[0]) checkSession(queryClient);
			},
		}),
		defaultOptions: {
			queries: {
				staleTime: 5000,
				retry: (_, error) => error instanceof ConnectionError,
				retryDelay: 3000,
				networkMode: "always",
			},
			mutations: {
				networkMode: "always",
				retry: false,
				onError: (error) => {
					if (isSessionEnd(error)) checkSession(queryClient);
				},
			},
		},
	});
	return queryClient;
}

const checkSession = (queryClient: QueryClient) => void queryClient.invalidateQueries({ queryKey: sessionKey });
