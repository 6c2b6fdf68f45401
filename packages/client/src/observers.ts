import type { Calls } from "@reelmill/contracts/types";

/** A request that is about to be sent. */
export type SentRequest = {
	/** The operation's name, such as `createVideo`. */
	readonly operation: keyof Calls;
	readonly method: string;
	readonly url: string;
	/** The headers, with the credential. What is set here is sent, for example `traceparent`. */
	readonly headers: Headers;
	/** Counts the call's attempts from 1. */
	readonly attempt: number;
};

/** An answer to a request; its body isn't read yet. */
export type ReceivedResponse = SentRequest & {
	readonly status: number;
	/** The answer's `x-request-id`; `null` if it has none. */
	readonly requestId: string | null;
	/** How many seconds the answer took. */
	readonly seconds: number;
	/** The answer's headers. */
	readonly headers: Headers;
};

/** Functions that see the traffic. An error that one throws ends the call with it, and nothing is retried. */
export type Observers = {
	/** Called before each attempt, and waited for. Never log its headers whole: they have the credential. */
	onRequest?: (request: SentRequest) => unknown;
	/** Called with each answer, errors too, and waited for. It is not called if no answer came. */
	onResponse?: (response: ReceivedResponse) => unknown;
};
