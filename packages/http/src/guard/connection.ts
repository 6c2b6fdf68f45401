import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { WaitingConnection } from "./waiting-connections.ts";

type Exchanged = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** A client's connection, and what is being answered on it. */
export class Connection implements WaitingConnection {
	readonly client: string | null;
	/** Of TLS, once that is agreed on, the one that speaks HTTP. */
	socket: Socket;
	/** When it began to wait, by a stopwatch. */
	since: number;
	/** The parser gave it up: what else comes is of no interest. */
	isRefused = false;
	#answering = 0;
	#latest: Exchanged | null = null;
	#read = 0;

	constructor(socket: Socket, client: string | null, now: number) {
		this.socket = socket;
		this.client = client;
		this.since = now;
	}

	begin(exchanged: Exchanged): void {
		this.#answering++;
		this.#latest = exchanged;
	}

	/** Answers whether the connection waits for a request from now on. */
	end(now: number): boolean {
		this.#answering--;
		if (this.#answering > 0) return false;
		this.#latest = null;
		this.since = now;
		this.#read = this.socket.bytesRead;
		return !this.isRefused && !this.socket.destroyed && this.socket.writable;
	}

	/** Whether bytes came since the last answer, or at all. */
	get hasSpoken(): boolean {
		return this.socket.bytesRead !== this.#read;
	}

	/**
	 * The request that a refusal answers, `null` where none came whole; undefined where another answer would be cut into,
	 * or none can be heard.
	 */
	get refusable(): IncomingMessage | null | undefined {
		if (!this.socket.writable || this.#answering > 1 || this.#latest?.response.headersSent) return undefined;
		return this.#latest?.request ?? null;
	}
}
