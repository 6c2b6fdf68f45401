/** Takes the text that is printed. A standard stream of a process is one. */
export type Output = {
	/** Prints a text. Control and format characters are escaped in it, but line feeds and tabs. */
	write(text: string): unknown;
	/** Whether this is a terminal: only there are colours, progress and tables that fit (default: no). */
	isTTY?: boolean;
	/** The width of the terminal in columns, to which tables are cut (default: 80). */
	columns?: number;
	/** Moves a terminal's cursor to this column of its line. Progress is drawn again by this and `clearLine`. */
	cursorTo?(column: number): unknown;
	/** Clears a terminal's line: the whole of it for 0. */
	clearLine?(direction: 0): unknown;
};

/** Gives what is typed, or what comes over a pipe. The standard input of a process is one. */
export type Input = AsyncIterable<string | Uint8Array> & {
	/** Whether this is a terminal: only there is a question shown (default: no). */
	isTTY?: boolean;
	/** Turns off, or on again, that a terminal shows what is typed. */
	setRawMode?(on: boolean): unknown;
};

/** All that a command line uses of its process, besides the network and the files that it sends. */
export type CliIo = {
	/**
	 * The environment. Only `REELMILL_URL`, `REELMILL_API_KEY`, `REELMILL_ADMIN_KEY`, `REELMILL_STORAGE_SECRET` and
	 * `REELMILL_PROFILE` are read; `NO_COLOR`, `FORCE_COLOR` and `TERM`, which decide about colours; and `HOME`, `XDG_CONFIG_HOME` and `XDG_STATE_HOME` (of Windows, `APPDATA` and
	 * `LOCALAPPDATA`), which say where profiles and stopped uploads are kept. Without them nothing is kept.
	 */
	environment: Readonly<Record<string, string | undefined>>;
	/** Takes results, and nothing else. */
	stdout: Output;
	/** Takes notes, progress and failures. */
	stderr: Output;
	/** What is read where a key is asked for, and what `@-` names (default: nothing). */
	stdin?: Input | undefined;
	/** Stops the command. An upload can be continued by the same command, or is cancelled if nothing is kept of it. */
	signal: AbortSignal;
};
