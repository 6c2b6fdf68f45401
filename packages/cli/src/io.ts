/** Where text goes: a process's standard stream, or whatever takes the text elsewhere. */
export type Output = {
	write(text: string): unknown;
	/** True for a terminal that people look at; progress is drawn only there. */
	isTTY?: boolean;
	columns?: number;
};

/** All that the command line has of the world around it, besides the network and the files it is told to send. */
export type CliIo = {
	/** Read for `REELMILL_URL`, `REELMILL_API_KEY`, `REELMILL_ADMIN_KEY` and `REELMILL_STORAGE_SECRET` alone. */
	environment: Readonly<Record<string, string | undefined>>;
	/** Results, and nothing else. */
	stdout: Output;
	/** What is said to people: notes, progress, failures. */
	stderr: Output;
	/** Ends what runs; uploads that are under way are cancelled. */
	signal: AbortSignal;
};
