import { createReelmill, createReelmillAdmin, type Reelmill, type ReelmillAdmin } from "@reelmill/node";
import type { Command } from "commander";
import { UsageError } from "./failure.ts";
import { fieldLines } from "./field-lines.ts";
import type { Io } from "./printing.ts";
import { chosenProfile } from "./profiles.ts";
import { type Columns, type Layout, tableLines } from "./table.ts";
import { oneLine } from "./text.ts";

export type Session = {
	readonly io: Io;
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
	/**
	 * Prints rows as they come: one JSON document on each line, or a table. `limit` is the largest number of rows. Returns
	 * how many it printed, and whether there are more.
	 */
	table<T extends object>(
		rows: AsyncIterable<T> | Iterable<T>,
		columns: Columns<T>,
		limit?: number,
	): Promise<{ readonly shown: number; readonly isCut: boolean }>;
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
export function sessionOf(io: Io, command: Command): Session {
	const given = command.optsWithGlobals<Settings>();
	const { json = false } = given;
	const { environment, stdout, stderr } = io;
	const profile = () => chosenProfile(io, given.profile);
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
		io.asked.url = address;
		return address;
	};
	const keyOf = (
		option: string | undefined,
		variable: "REELMILL_API_KEY" | "REELMILL_ADMIN_KEY",
		name: "api_key" | "admin_key",
		what: string,
		flag: string,
	) => {
		const told = option ?? environment[variable];
		const chosen = told === undefined ? profile() : undefined;
		const kept = chosen?.url === baseUrl() ? chosen[name] : undefined;
		const key = required(told ?? kept, what, flag, variable);
		io.asked.key_from = option !== undefined ? flag : told !== undefined ? variable : `profile ${chosen?.name}`;
		return key;
	};
	const key = () => keyOf(given.key, "REELMILL_API_KEY", "api_key", "the domain's key", "--key");
	const adminKey = () => keyOf(given.adminKey, "REELMILL_ADMIN_KEY", "admin_key", "the operator's key", "--admin-key");
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
		print(value, text) {
			if (json) say(JSON.stringify(value, null, 2));
			else if (text !== undefined) say(text(value));
			else for (const line of fieldLines(value, stdout)) stdout.line(line);
		},
		stream: (value, text) => say(json ? JSON.stringify(value) : oneLine(text(value))),
		async table<T extends object>(
			rows: AsyncIterable<T> | Iterable<T>,
			columns: Columns<T>,
			limit = Number.POSITIVE_INFINITY,
		) {
			const layout: Layout = { widths: [] };
			let shown = 0;
			let isCut = false;
			let batch: T[] = [];
			const flush = () => {
				for (const line of tableLines(batch, columns, layout, stdout)) stdout.line(line);
				batch = [];
			};
			for await (const row of rows) {
				isCut = shown === limit;
				if (isCut) break;
				shown++;
				// Nobody is told whether there are more, so no further page is asked for.
				if (json) {
					say(JSON.stringify(row));
					if (shown === limit) break;
				} else if (batch.push(row) === tableBatch) flush();
			}
			if (!json) flush();
			return { shown, isCut };
		},
		note: (text) => {
			if (!json) stderr.write(`${text}\n`);
		},
	};
}

function required(value: string | undefined, what: string, option: string, variable: string): string {
	if (value === undefined || value.trim() === "")
		throw new UsageError(
			`Say ${what}: with ${option}, or in the environment as ${variable}; or once with reelmill login.`,
		);
	return value.trim();
}
