import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { WaitingConnection } from "./waiting-connections.ts";

type Exchanged = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** A client's connection, and the requests that are being answered on it. */
export class Connection implements WaitingConnection {
	readonly client: string | null;
	/** The socket that speaks HTTP. On a TLS server this is the TLS socket once the handshake is done. */
	socket: Socket;
	/** When the connection began to wait, in milliseconds of a steady clock. */
	since: number;
	/** Whether the server has refused a request on it. Nothing that arrives afterwards is read. */
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

	/** Returns whether the connection waits for a request from now on. */
	end(now: number): boolean {
		this.#answering--;
		if (this.#answering > 0) return false;
		this.#latest = null;
		this.since = now;
		this.#read = this.socket.bytesRead;
		return !this.isRefused && !this.socket.destroyed && this.socket.writable;
	}

	/** Whether bytes have arrived since the last answer, or since the connection began if there was no answer yet. */
	get hasSpoken(): boolean {
		return this.socket.bytesRead !== this.#read;
	}

	/**
	 * The request that a refusal answers; `null` if no request arrived whole. Undefined if a refusal would cut into
	 * another answer, or if the client can't receive one.
	 */
	get refusable(): IncomingMessage | null | undefined {
		if (!this.socket.writable || this.#answering > 1 || this.#latest?.response.headersSent) return undefined;
		return this.#latest?.request ?? null;
	}
}
