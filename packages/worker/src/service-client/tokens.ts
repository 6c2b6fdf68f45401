import { type ClientOptions, createClient } from "@reelmill/client";
import type { ServerClock } from "./server-clock.ts";
import type { KnownToken, TokenFile } from "./token-file.ts";

/** Issues a service token. `expires_at` is a moment of the server's clock. */
export type IssueToken = () => Promise<{ readonly token: string; readonly expires_at: string }>;

/** How a worker gets its tokens: in exchange for the service account's secret, or from a function that issues them. */
export type TokenSource = { readonly secret: string } | { readonly issueToken: IssueToken };

/** The service token of one worker. */
export type Tokens = {
	/**
	 * Returns a valid token. It asks for another one if there is none, or if half of its life is over. If that fails, the
	 * present token is returned as long as it is valid, and a minute later another one is asked for.
	 */
	current(): Promise<string>;
	/** Drops the token, so that the next call of `current` asks for a new one. */
	forget(): void;
};

/** How long before its end a token is no longer used. */
const marginMilliseconds = 60_000;
const pauseMilliseconds = 60_000;

export type TokensOptions = {
	/** Issues a token. It is shown the token before, by which the request may be a renewal. */
	readonly issue: (last: string | undefined) => ReturnType<IssueToken>;
	readonly clock: Pick<ServerClock, "until" | "moment">;
	/** Shares the token with the machine's other workers (default: it is kept in memory alone). */
	readonly file?: TokenFile | undefined;
};

/** Creates a holder of tokens that asks for none until the first one is needed. */
export function createTokens({ issue, clock, file }: TokensOptions): Tokens {
	let known: KnownToken | null = null;
	/** The last token, also after it was refused or has ended. */
	let last: string | undefined;
	let refused: string | undefined;
	let refreshing: Promise<KnownToken> | undefined;
	let pausedUntil = 0;
	const isValid = (token: KnownToken | null): token is KnownToken =>
		token !== null && token.token !== refused && clock.until(token.expires_at) > marginMilliseconds;
	const isFresh = (token: KnownToken | null): token is KnownToken => isValid(token) && clock.until(token.renew_at) > 0;
	const hear = (token: KnownToken): KnownToken => {
		known = token;
		last = token.token;
		return token;
	};

	const ask = async (): Promise<KnownToken> => {
		const { token, expires_at } = await issue(last);
		const renew_at = clock.moment(clock.until(expires_at) / 2);
		const made = hear({ token, expires_at, renew_at });
		await file?.write(made);
		return made;
	};
	const refresh = async (): Promise<KnownToken> => {
		if (file === undefined) return ask();
		const shared = await file.read();
		if (isFresh(shared)) return hear(shared);
		const { release } = await file.reserve();
		try {
			const meanwhile = await file.read();
			if (isFresh(meanwhile)) return hear(meanwhile);
			if (isValid(meanwhile)) hear(meanwhile);
			return await ask();
		} finally {
			await release();
		}
	};
	const renewed = async (): Promise<KnownToken> => {
		refreshing ??= refresh().finally(() => {
			refreshing = undefined;
		});
		try {
			return await refreshing;
		} catch (error) {
			if (!isValid(known)) throw error;
			pausedUntil = performance.now() + pauseMilliseconds;
			return known;
		}
	};
	return {
		async current() {
			const isPaused = isValid(known) && performance.now() < pausedUntil;
			return (isFresh(known) || isPaused ? (known as KnownToken) : await renewed()).token;
		},
		forget() {
			refused = known?.token;
			known = null;
		},
	};
}

/** Returns a function that exchanges the account's secret for tokens. */
export const exchangeSecret =
	(account: { readonly name: string; readonly secret: string }, options: ClientOptions): TokensOptions["issue"] =>
	(last) =>
		createClient({ ...options, ...(last !== undefined && { credential: last }) }).call("issueServiceToken", {
			body: { name: account.name, secret: account.secret },
		});
