import { bodyOf } from "../node/body.ts";
import type { Exchange } from "../node/exchange.ts";
import type { JsonRequest } from "./request.ts";

type Settings = { readonly idleMilliseconds: number; readonly draining: AbortSignal | undefined };

/** A request for a JSON operation that Node's server received. */
export class NodeRequest implements JsonRequest {
	readonly params: Readonly<Record<string, string>>;
	readonly #exchange: Exchange;
	readonly #settings: Settings;
	#signal: AbortSignal | undefined;

	constructor(exchange: Exchange, params: Readonly<Record<string, string>>, settings: Settings) {
		this.params = params;
		this.#exchange = exchange;
		this.#settings = settings;
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

	get clientAddress(): string | null {
		return this.#exchange.clientAddress;
	}

	get requestId(): string {
		return this.#exchange.requestId;
	}

	get hasBody(): boolean {
		const { headers } = this.#exchange.request;
		return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
	}

	header(name: string): string | null {
		return this.#exchange.request.headers[name]?.toString() ?? null;
	}

	body(): AsyncIterable<Uint8Array> {
		const { idleMilliseconds } = this.#settings;
		return bodyOf(this.#exchange.request, idleMilliseconds, AbortSignal.timeout(idleMilliseconds));
	}

	get signal(): AbortSignal {
		if (this.#signal === undefined) {
			const controller = new AbortController();
			const { response } = this.#exchange;
			const leave = () => {
				if (!response.writableFinished) controller.abort();
			};
			if (response.closed) leave();
			else response.once("close", leave);
			const { draining } = this.#settings;
			this.#signal = draining === undefined ? controller.signal : AbortSignal.any([controller.signal, draining]);
		}
		return this.#signal;
	}
}
