import { createReelmill, createReelmillAdmin, type Reelmill, type ReelmillAdmin } from "@reelmill/node";
import type { Command } from "commander";
import { UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { chosenProfile, type Profile } from "./profiles.ts";
import { type Columns, fields, line, oneLine, tableRows } from "./text.ts";

export type Session = {
	readonly io: CliIo;
	readonly json: boolean;
	/** The options as they were given. */
	readonly given: Settings;
	/**
	 * Returns where the service is.
	 * @throws {UsageError} when nothing says so, or when it is no address
	 */
	baseUrl(): string;
	/**
	 * Returns the domain's key, or the operator's.
	 * @throws {UsageError} when it is missing
	 */
	key(): string;
	adminKey(): string;
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
	/** Prints one of many results: a JSON document on one line, or its text for people, on one as well. */
	stream<T extends object>(value: T, text: (value: T) => string): void;
	/** Prints rows as they come: one JSON document on each line, or a table. `limit` is the largest number of rows. */
	table<T extends object>(rows: AsyncIterable<T> | Iterable<T>, columns: Columns<T>, limit: number): Promise<void>;
	/** Prints a note for people on stderr, but not with `--json`. */
	note(text: string): void;
};

export type Settings = { url?: string; key?: string; adminKey?: string; profile?: string; json?: boolean };

/** How many rows a table aligns at a time. */
const tableBatch = 100;

/**
 * Reads the global options, the environment and the profile for a command. An option wins over the environment, which
 * wins over the profile. A profile's key goes to the profile's address alone.
 */
export function sessionOf(io: CliIo, command: Command): Session {
	const given = command.optsWithGlobals<Settings>();
	const { json = false } = given;
	const { environment, stdout, stderr } = io;
	const profile = (): Profile | undefined => chosenProfile(io, given.profile);
	const baseUrl = () => {
		const what =
			environment.REELMILL_BASE_URL === undefined
				? "where the service is"
				: "where the service is (REELMILL_BASE_URL is the server's own setting)";
		const address = required(given.url ?? environment.REELMILL_URL ?? profile()?.url, what, "--url", "REELMILL_URL");
		if (!/^https?:/i.test(address) || !URL.canParse(address) || /\/v1\/?$/.test(address))
			throw new UsageError(
				`${JSON.stringify(address)} is not an address such as https://video.example.com: with https:// or http://, and without /v1.`,
			);
		return address;
	};
	const keyOf = (
		told: string | undefined,
		name: "api_key" | "admin_key",
		what: string,
		option: string,
		variable: string,
	) => {
		const chosen = told === undefined ? profile() : undefined;
		const kept = chosen?.url === baseUrl() ? chosen[name] : undefined;
		return required(told ?? kept, what, option, variable);
	};
	const key = () =>
		keyOf(given.key ?? environment.REELMILL_API_KEY, "api_key", "the domain's key", "--key", "REELMILL_API_KEY");
	const adminKey = () =>
		keyOf(
			given.adminKey ?? environment.REELMILL_ADMIN_KEY,
			"admin_key",
			"the operator's key",
			"--admin-key",
			"REELMILL_ADMIN_KEY",
		);
	const say = (text: string) => void stdout.write(`${text}\n`);
	return {
		io,
		json,
		given,
		baseUrl,
		key,
		adminKey,
		reelmill: () => createReelmill({ baseUrl: baseUrl(), apiKey: key() }),
		admin: () => createReelmillAdmin({ baseUrl: baseUrl(), adminKey: adminKey() }),
		print: (value, text = fields) => say(json ? JSON.stringify(value, null, 2) : text(value)),
		stream: (value, text) => say(json ? JSON.stringify(value) : oneLine(text(value))),
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
		throw new UsageError(
			`Tell ${what}: with ${option}, or in the environment as ${variable}; or once with reelmill login.`,
		);
	return value.trim();
}
