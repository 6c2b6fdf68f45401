import { type ClientOptions, createClient } from "@reelmill/client";
import type { ServerClock } from "./server-clock.ts";

/** Issues a service token. `expires_at` is a moment of the server's clock. */
export type IssueToken = () => Promise<{ readonly token: string; readonly expires_at: string }>;

/** How a worker gets its tokens: in exchange for the service account's secret, or from a function that issues them. */
export type TokenSource = { readonly secret: string } | { readonly issueToken: IssueToken };

/** The service token of one worker. */
export type Tokens = {
	/** Returns a valid token; asks for a new one only if there is none, or it is about to expire. */
	current(): Promise<string>;
	/** Drops the token, so that the next call of `current` asks for a new one. */
	forget(): void;
};

/** How long before its end a token is renewed. */
const renewalMilliseconds = 60_000;

/** Creates a holder of tokens that asks for none until the first one is needed. */
export function createTokens(issue: IssueToken, clock: ServerClock): Tokens {
	let token: Promise<{ readonly value: string; readonly renewAt: number }> | undefined;
	return {
		async current() {
			const known = await token?.catch(() => undefined);
			if (known !== undefined && performance.now() <= known.renewAt) return known.value;
			token = issue().then((answer) => ({
				value: answer.token,
				renewAt: performance.now() + clock.until(answer.expires_at) - renewalMilliseconds,
			}));
			return (await token).value;
		},
		forget() {
			token = undefined;
		},
	};
}

/**
 * Returns a function that exchanges the account's secret for tokens. It shows the last token along with the secret:
 * while that token is valid the request is a renewal, which doesn't count against the limit of the worker's address.
 */
export function exchangeSecret(
	account: { readonly name: string; readonly secret: string },
	options: ClientOptions,
): IssueToken {
	let last: string | undefined;
	return async () => {
		const client = createClient({ ...options, ...(last !== undefined && { credential: last }) });
		const answer = await client.call("issueServiceToken", { body: { name: account.name, secret: account.secret } });
		last = answer.token;
		return answer;
	};
}
