/**
 * What a case sends. A text may hold placeholders such as `{{video#3}}`. The world replaces each with one of its
 * values, so that a case is the same in every run of a seed although ids and keys are not. `#p` is the case's own
 * `pick`. `{{$name}}` is a value that an earlier step of the case saved.
 */
export type Body = { readonly text: string } | { readonly base64: string } | { readonly fixture: string };

export type HttpStep = {
	readonly kind: "http";
	readonly port?: "operations";
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string | readonly string[]>>;
	readonly body: Body | null;
	/** Sends the body in chunks, without its length. */
	readonly chunked?: boolean;
	/** Names for values of the JSON answer, by their path in it. */
	readonly save?: Readonly<Record<string, string>>;
	/** The next step doesn't wait for this one's answer. */
	readonly together?: boolean;
};

/** Bytes on a new socket. */
export type RawStep = {
	readonly kind: "raw";
	/** Texts are sent as bytes (latin1); a number is a pause in milliseconds. */
	readonly parts: readonly (string | number)[];
	/**
	 * `wait`: the requests ask to close the connection, and the server must close it. `half`: the client ends its side
	 * first, and the server must answer or end. `leave`: the client goes away after a moment, whatever has come.
	 */
	readonly end: "wait" | "half" | "leave";
	/** More answers than this mean that a request was smuggled. */
	readonly mostAnswers: number;
	/** The ids of well-formed requests. All of them are answered, in this order. */
	readonly ids?: readonly string[];
};

export type Step = HttpStep | RawStep;
/** `tenant` and `address` are numbers, for which the world chooses a tenant and a client's address. */
export type Case = {
	readonly label: string;
	readonly tenant: number;
	readonly pick: number;
	readonly address: number;
	readonly steps: readonly Step[];
};
