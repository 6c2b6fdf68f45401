import type { FoundServer } from "./server-search.ts";

/** The connections opened until one of them breaks, all to one server. */
export class Generation {
	readonly #open: () => Promise<FoundServer>;
	#opening: Promise<FoundServer> | undefined;
	#found: FoundServer | undefined;
	/** Statements at work on it. */
	running = 0;

	constructor(open: (generation: Generation) => Promise<FoundServer>) {
		this.#open = () => open(this);
	}

	/** Its server, once it was looked for. */
	get found(): FoundServer | undefined {
		return this.#found;
	}

	/** Its server, which is looked for when the first asks. */
	async find(): Promise<FoundServer> {
		this.#opening ??= this.#open();
		this.#found = await this.#opening;
		return this.#found;
	}

	/** Rejects all statements on these connections. Twice is fine. */
	async end(): Promise<void> {
		const opened = await this.#opening?.catch(() => undefined);
		await opened?.sql.end({ timeout: 0 });
	}
}
