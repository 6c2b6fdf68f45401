import { createReelmill, createReelmillAdmin, type Reelmill, type ReelmillAdmin } from "@reelmill/node";
import type { Command } from "commander";
import { UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { type Columns, fields, line, tableRows } from "./text.ts";

export type Session = {
	readonly io: CliIo;
	readonly json: boolean;
	/**
	 * Creates the tenant's SDK.
	 * @throws {UsageError} when the address or the key is missing
	 */
	reelmill(): Reelmill;
	/**
	 * Creates the operator's SDK.
	 * @throws {UsageError} when the address or the admin key is missing
	 */
	admin(): ReelmillAdmin;
	/** Prints the only result of a command: a JSON document, or its text for people. */
	print<T extends object>(value: T, text?: (value: T) => string): void;
	/** Prints one of many results: a JSON document on one line, or its text for people. */
	stream<T extends object>(value: T, text: (value: T) => string): void;
	/** Prints rows as they come: one JSON document on each line, or a table. `limit` is the largest number of rows. */
	table<T extends object>(rows: AsyncIterable<T> | Iterable<T>, columns: Columns<T>, limit: number): Promise<void>;
	/** Prints a note for people on stderr, but not with `--json`. */
	note(text: string): void;
};

type Settings = { url?: string; key?: string; adminKey?: string; json?: boolean };

/** How many rows a table aligns at a time. */
const tableBatch = 100;

/** Reads the global options and the environment for a command. An option wins over the environment. */
export function sessionOf(io: CliIo, command: Command): Session {
	const { url, key, adminKey, json = false } = command.optsWithGlobals<Settings>();
	const { environment, stdout, stderr } = io;
	const baseUrl = () => {
		const what =
			environment.REELMILL_BASE_URL === undefined
				? "where the service is"
				: "where the service is (REELMILL_BASE_URL is the server's own setting)";
		const address = required(url ?? environment.REELMILL_URL, what, "--url", "REELMILL_URL");
		if (!URL.canParse(address))
			throw new UsageError(`${JSON.stringify(address)} is not an address such as https://video.example.com.`);
		return address;
	};
	const say = (text: string) => void stdout.write(`${text}\n`);
	return {
		io,
		json,
		reelmill: () =>
			createReelmill({
				baseUrl: baseUrl(),
				apiKey: required(key ?? environment.REELMILL_API_KEY, "the domain's key", "--key", "REELMILL_API_KEY"),
			}),
		admin: () =>
			createReelmillAdmin({
				baseUrl: baseUrl(),
				adminKey: required(
					adminKey ?? environment.REELMILL_ADMIN_KEY,
					"the operator's key",
					"--admin-key",
					"REELMILL_ADMIN_KEY",
				),
			}),
		print: (value, text = fields) => say(json ? JSON.stringify(value, null, 2) : text(value)),
		stream: (value, text) => say(json ? JSON.stringify(value) : text(value)),
		async table<T extends object>(rows: AsyncIterable<T> | Iterable<T>, columns: Columns<T>, limit: number) {
			const widths: number[] = [];
			let shown = 0;
			let batch: T[] = [];
			const flush = () => {
				const lines = tableRows(batch, columns, widths);
				if (shown === batch.length && lines.length > 0)
					say(
						line(
							columns.map(([title]) => title),
							widths,
						),
					);
				for (const text of lines) say(text);
				batch = [];
			};
			if (limit > 0)
				for await (const row of rows) {
					shown++;
					if (json) say(JSON.stringify(row));
					else if (batch.push(row) === tableBatch) flush();
					if (shown === limit) break;
				}
			if (!json) flush();
		},
		note: (text) => {
			if (!json) stderr.write(`${text}\n`);
		},
	};
}

function required(value: string | undefined, what: string, option: string, variable: string): string {
	if (value === undefined || value.trim() === "")
		throw new UsageError(`Tell ${what}: with ${option}, or in the environment as ${variable}.`);
	return value.trim();
}
