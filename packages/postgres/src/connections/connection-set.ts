import type { FoundServer } from "./server-search.ts";

/** The connections to one server that are opened until one of them breaks. */
export class ConnectionSet {
	readonly #open: () => Promise<FoundServer>;
	#opening: Promise<FoundServer> | undefined;
	#found: FoundServer | undefined;
	/** How many statements run on it. */
	running = 0;

	constructor(open: (set: ConnectionSet) => Promise<FoundServer>) {
		this.#open = () => open(this);
	}

	/** The server, once it has been looked for. */
	get found(): FoundServer | undefined {
		return this.#found;
	}

	/** Returns the server; the first call looks for it, and the next one after a failure. */
	async find(): Promise<FoundServer> {
		this.#opening ??= this.#open().catch((error) => {
			this.#opening = undefined;
			throw error;
		});
		this.#found = await this.#opening;
		return this.#found;
	}

	/** Ends the connections; all statements on them reject. Calling it twice is harmless. */
	async end(): Promise<void> {
		const opened = await this.#opening?.catch(() => undefined);
		await opened?.sql.end({ timeout: 0 });
	}
}
