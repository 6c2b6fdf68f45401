import type { CallInput } from "@reelmill/client";
import type { CreatedVideo } from "@reelmill/contracts";

/** What a video is initiated with. */
export type CreateVideoInput = CallInput<"createVideo">["body"];

/**
 * What `initiateOrResume` keeps of an upload: the answer with its token, which the service never gives again, and what
 * was asked for.
 */
export type HeldTicket = CreatedVideo & { input: CreateVideoInput };

/**
 * Where `initiateOrResume` keeps tickets. A `Map` is one; one over Redis or a table lets several processes resume each
 * other's uploads. A ticket is worth nothing after its `upload.expires_at`, so entries may go from then on; one that is
 * lost costs a resumption, never more. Tokens are credentials for one upload: keep them as you keep sessions.
 */
export type TicketStore = {
	/** The last ticket set under the key, or undefined. */
	get(key: string): HeldTicket | undefined | Promise<HeldTicket | undefined>;
	set(key: string, ticket: HeldTicket): unknown;
	/** Does nothing where there is none. */
	delete(key: string): unknown;
};

/** Holds as many tickets in this process; when there are more, the oldest goes. */
const heldInMemory = 10_000;

/** The store where none is given: this process's memory, bounded. */
export function createMemoryTickets(): TicketStore {
	const tickets = new Map<string, HeldTicket>();
	return {
		get: (key) => tickets.get(key),
		set(key, ticket) {
			tickets.delete(key);
			tickets.set(key, ticket);
			const oldest = tickets.size > heldInMemory ? tickets.keys().next().value : undefined;
			if (oldest !== undefined) tickets.delete(oldest);
		},
		delete: (key) => tickets.delete(key),
	};
}

/** One key an uploader and external reference; no two pairs share one. */
export const ticketKey = (uploaderRef: string, externalRef: string | undefined): string =>
	JSON.stringify([uploaderRef, externalRef ?? null]);
