import type { CallInput } from "@reelmill/client";
import type { CreatedVideo } from "@reelmill/contracts";

/** The input that initiates a video. */
export type CreateVideoInput = CallInput<"createVideo">["body"];

/**
 * What `initiateOrResume` keeps of an upload: the answer with the token, which the service shows only once, and the
 * input of the call.
 */
export type HeldTicket = CreatedVideo & { input: CreateVideoInput };

/**
 * Where `initiateOrResume` keeps tickets. A `Map` is a ticket store. A store over Redis or a table lets several
 * processes resume each other's uploads. After its `upload.expires_at` a ticket is of no use and may be removed; if a
 * ticket is lost, its upload can't be resumed. A token is a credential for one upload: keep it as safe as a session.
 */
export type TicketStore = {
	/** Returns the last ticket that was set for the key; undefined if there is none. */
	get(key: string): HeldTicket | undefined | Promise<HeldTicket | undefined>;
	/** Keeps a ticket in the place of the key's last one. */
	set(key: string, ticket: HeldTicket): unknown;
	/** Removes the key's ticket, if there is one. */
	delete(key: string): unknown;
};

/** How many tickets this process holds. The oldest is removed for a new one. */
const heldInMemory = 10_000;

/** Creates a store in this process's memory with room for 10,000 tickets. */
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

/** Returns the key of an uploader, an external reference and a file's name. No two of them share a key. */
export const ticketKey = (uploaderRef: string, externalRef: string | undefined, file: string | undefined): string =>
	JSON.stringify([uploaderRef, externalRef ?? null, ...(file === undefined ? [] : [file])]);
