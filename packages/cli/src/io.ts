/** Takes the text that is printed. A standard stream of a process is one. */
export type Output = {
	/** Prints a text. */
	write(text: string): unknown;
	/** Whether this is a terminal: only there is progress drawn (default: no). */
	isTTY?: boolean;
	/** The width of the terminal in columns (default: 80). */
	columns?: number;
};

/** All that a command line uses of its process, besides the network and the files that it sends. */
export type CliIo = {
	/**
	 * The environment. Only `REELMILL_URL`, `REELMILL_API_KEY`, `REELMILL_ADMIN_KEY`, `REELMILL_STORAGE_SECRET` are read.
	 */
	environment: Readonly<Record<string, string | undefined>>;
	/** Takes results, and nothing else. */
	stdout: Output;
	/** Takes notes, progress and failures. */
	stderr: Output;
	/** Stops the command. It cancels its uploads. */
	signal: AbortSignal;
};
