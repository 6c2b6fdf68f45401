import type { Reply } from "../reply.ts";

/** The result of a handler whose answer has headers of its own, such as a cookie. */
export class WithHeaders<T> {
	readonly value: T;
	readonly headers: Readonly<Record<string, string>>;

	constructor(value: T, headers: Readonly<Record<string, string>>) {
		this.value = value;
		this.headers = headers;
	}
}

/** An answer that stands already: a page for a person in place of the contract's JSON, bytes with a hash, or a 304. */
export class Rendered {
	readonly reply: Reply;

	constructor(reply: Reply) {
		this.reply = reply;
	}
}
