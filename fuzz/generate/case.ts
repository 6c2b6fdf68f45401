/**
 * What a case sends. Texts may hold placeholders, `{{video#3}}`: the world puts one of what it has in their place, so
 * that a case is the same in every run of a seed although ids and keys are not; `#p` is the case's own `pick`.
 * `{{$name}}` is what an earlier step of the case saved.
 */
export type Body = { readonly text: string } | { readonly base64: string } | { readonly fixture: string };

export type HttpStep = {
	readonly kind: "http";
	readonly port?: "operations";
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string | readonly string[]>>;
	readonly body: Body | null;
	/** Without a length, in chunks. */
	readonly chunked?: boolean;
	/** Names for values of the JSON answer, by their path in it. */
	readonly save?: Readonly<Record<string, string>>;
	/** The next step doesn't wait for this one's answer. */
	readonly together?: boolean;
};

/** Bytes on a socket of their own. */
export type RawStep = {
	readonly kind: "raw";
	/** Texts are sent as bytes (latin1); a number is a pause in milliseconds. */
	readonly parts: readonly (string | number)[];
	/**
	 * `wait`: the requests say that the connection is to be closed, and it has to be. `half`: the client ends its side
	 * first; an answer, or the end, has to come. `leave`: the client goes away after a moment, whatever has come.
	 */
	readonly end: "wait" | "half" | "leave";
	/** More answers than this were smuggled. */
	readonly mostAnswers: number;
	/** The ids of well-formed requests, which are all answered, in this order. */
	readonly ids?: readonly string[];
};

export type Step = HttpStep | RawStep;
/** `tenant` and `address` are numbers that the world makes a tenant and a client's address of. */
export type Case = {
	readonly label: string;
	readonly tenant: number;
	readonly pick: number;
	readonly address: number;
	readonly steps: readonly Step[];
};
