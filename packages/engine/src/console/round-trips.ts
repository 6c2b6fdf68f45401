import { createHmac } from "node:crypto";
import sql from "sql-template-tag";
import { hashSecret, mintSecret } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";

/** A round trip to the identity provider and back. */
export type RoundTrip = {
	/** Comes back with the answer. */
	readonly state: string;
	/** Kept by the browser, which sends it with the answer. */
	readonly browser: string;
	/** The provider puts it into its token. */
	readonly nonce: string;
	/** The secret of PKCE: whoever has the code can't spend it without this. */
	readonly verifier: string;
};

export type RoundTrips = {
	/** Begins a round trip, which may take 10 minutes. */
	begin(): Promise<RoundTrip>;
	/**
	 * Ends the round trip of this state and returns it, once; `null` if it was ended before, took too long, never began,
	 * or began in another browser.
	 */
	end(back: { readonly state: string; readonly browser: string }): Promise<RoundTrip | null>;
};

const roundTripSeconds = 600;

/** Creates round trips. Only hashes are stored; nonce and verifier follow from what the browser keeps. */
export function createRoundTrips({ database, clock, random }: Parts): RoundTrips {
	const derived = (browser: string, use: string, state: string): string =>
		createHmac("sha256", browser).update(`${use} ${state}`).digest("base64url");
	const roundTrip = (state: string, browser: string): RoundTrip => ({
		state,
		browser,
		nonce: derived(browser, "nonce", state),
		verifier: derived(browser, "verifier", state),
	});
	return {
		async begin() {
			const begun = roundTrip(mintSecret("", random), mintSecret("", random));
			const expiresAt = new Date(clock.now() + roundTripSeconds * 1000);
			await database.query(sql`
				insert into reelmill.console_round_trips (hash, browser_hash, expires_at) values (${hashSecret(begun.state)}, ${hashSecret(begun.browser)}, ${expiresAt})`);
			return begun;
		},
		async end({ state, browser }) {
			const ended = await database.query(sql`
				delete from reelmill.console_round_trips
				where hash = ${hashSecret(state)} and browser_hash = ${hashSecret(browser)} and expires_at > ${new Date(clock.now())} returning 1 as one`);
			return ended.length === 0 ? null : roundTrip(state, browser);
		},
	};
}
