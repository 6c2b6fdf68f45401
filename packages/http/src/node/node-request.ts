import type { JsonRequest } from "../json/request.ts";
import { bodyOf } from "./body.ts";
import type { Exchange } from "./exchange.ts";

/** A request for a JSON operation, as Node's server received it. */
export class NodeRequest implements JsonRequest {
	readonly params: Readonly<Record<string, string>>;
	readonly #exchange: Exchange;
	readonly #idleMilliseconds: number;
	#controller: AbortController | undefined;

	constructor(exchange: Exchange, params: Readonly<Record<string, string>>, idleMilliseconds: number) {
		this.params = params;
		this.#exchange = exchange;
		this.#idleMilliseconds = idleMilliseconds;
	}

	get query(): URLSearchParams {
		return this.#exchange.query;
	}

	get authorization(): string | null {
		return this.#exchange.authorization;
	}

	get clientKey(): string {
		return this.#exchange.clientKey;
	}

	header(name: "content-type" | "content-length"): string | null {
		return this.#exchange.request.headers[name] ?? null;
	}

	body(): AsyncIterable<Uint8Array> {
		return bodyOf(this.#exchange.request, this.#idleMilliseconds);
	}

	get signal(): AbortSignal {
		if (this.#controller === undefined) {
			const controller = new AbortController();
			const { response } = this.#exchange;
			const leave = () => {
				if (!response.writableFinished) controller.abort();
			};
			if (response.closed) leave();
			else response.once("close", leave);
			this.#controller = controller;
		}
		return this.#controller.signal;
	}
}
