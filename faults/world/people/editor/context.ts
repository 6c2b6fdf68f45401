import type { EditOf } from "../../../history/entries.ts";
import type { History } from "../../../history/history.ts";
import type { Random } from "../../../plan/random.ts";
import type { Answer } from "../../../processes/ask.ts";
import type { AskServer } from "../../../processes/told-requests.ts";
import type { Pictures } from "../../pictures.ts";
import type { Tenant } from "../tenants.ts";

/** What all that tenants do has in common. */
export type Context = {
	readonly history: History;
	readonly random: Random;
	/** Asks a random server with the tenant's key. Returns null if no answer came. */
	readonly ask: (tenant: Tenant, what: string, question: Parameters<AskServer>[2]) => Promise<Answer | null>;
	/** Reads a path, again as long as the tenant has used up its 200 requests a minute. */
	readonly read: (tenant: Tenant, what: string, path: string) => Promise<Answer | null>;
	/** Whether anything may still be begun. */
	readonly isOpen: () => boolean;
	/** What videos show that the real transcoders made. */
	readonly pictures: { readonly short: Pictures; readonly long: Pictures };
};

/** A video that was edited, with the numbers of the edits that were sent. */
export type Edited = {
	readonly tenant: Tenant;
	readonly video: string;
	readonly seconds: number;
	readonly sent: { [of in EditOf]?: readonly number[] };
};
