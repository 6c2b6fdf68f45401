/** One promise of a port, as a function that asserts it with `node:assert`. Each run gets a fresh, empty subject. */
export type Case<Subject> = {
	/** What holds, as a sentence without its subject: "answers null for an unknown key". */
	readonly name: string;
	/** The capability without which the promise isn't made. */
	readonly needs?: string;
	run(subject: Subject): Promise<void>;
};

/** What a case runs on, and how to remove it afterwards. */
export type Opened<Subject> = { readonly subject: Subject; close(): Promise<void> };

/** The part of a test runner that is needed: vitest, node:test, Jest and Mocha all have it. */
export type Runner = {
	describe(name: string, body: () => void): unknown;
	it(name: string, body: () => Promise<void>): unknown;
};
