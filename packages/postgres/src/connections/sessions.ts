import postgres from "postgres";
import type { Host } from "./server-url.ts";
import { withTimeLimit } from "./time-limit.ts";
import { valueTypes } from "./value-types.ts";

export type Sql = ReturnType<typeof postgres>;
export type SessionsOptions = {
	readonly connectTimeoutMilliseconds: number;
	/** Null for sessions whose statements may take any time. */
	readonly statementTimeoutMilliseconds: number | null;
	readonly onNotice: (notice: { readonly message: string; readonly code: string | undefined }) => void;
	/** Called if the server, or a pooler in front of it, refuses settings that come with a connection. */
	readonly onRefusedSettings: (error: unknown) => void;
};

/**
 * This side closes an idle session after this time. The server closes it a little later if this side is gone without a
 * word.
 */
const idleSeconds = 20;
const idleSecondsAtServer = 30;

/** How long an answer may take, the connection included. */
export const answerMilliseconds = 4000;

/** Opens sessions on one server, with limits for what they do there after this side is gone. */
export class Sessions {
	readonly #options: SessionsOptions;
	#settings: Readonly<Record<string, string>> | null;

	constructor(options: SessionsOptions) {
		this.#options = options;
		this.#settings = settingsOf(options.statementTimeoutMilliseconds);
	}

	/**
	 * Makes up to `max` sessions on `host`; the first statement opens the first one. `onReadOnly` is called when one of
	 * them says that it takes no writes.
	 */
	open(host: Host, max: number, onReadOnly?: (which: "in_hot_standby" | "default_transaction_read_only") => void): Sql {
		return postgres(host.url, {
			...literalAddress(host.url),
			max,
			max_pipeline: 0,
			connect_timeout: this.#options.connectTimeoutMilliseconds / 1000,
			backoff: () => 0,
			idle_timeout: idleSeconds,
			keep_alive: 10,
			fetch_types: false,
			types: valueTypes,
			connection: { application_name: "reelmill", DateStyle: "ISO", TimeZone: "UTC", ...this.#settings },
			onnotice: (notice: postgres.Notice) =>
				this.#options.onNotice({ message: String(notice.message), code: notice.code }),
			onparameter: (name: string, value: string) => {
				if (value === "on" && (name === "in_hot_standby" || name === "default_transaction_read_only"))
					onReadOnly?.(name);
			},
			// The types of this version of postgres.js allow one host only, although it takes several.
		} as object);
	}

	/**
	 * Whether `error` says that the settings were refused. If so, later sessions are opened without them, and the refused
	 * statement may be tried once more.
	 */
	refused(error: unknown): boolean {
		const { code, message } = error as { code?: string; message?: string };
		if (!refusals.has(code ?? "") || !names.some((name) => message?.includes(name))) return false;
		if (this.#settings) this.#options.onRefusedSettings(error);
		this.#settings = null;
		return true;
	}
}

/** A session's answer to who serves it. postgres.js gives every answer with what the server said at the start. */
export type Answered = { readonly pid: number }[] & { readonly state?: { readonly pid: number | null } };

/** The process that serves a statement, by its own word. */
export const servedBy = "pg_backend_pid() as pid";

/**
 * Whether a pooler stands in front of the server: the process that serves the statement isn't the one that the
 * connection was promised. Such a pooler may give each statement to another session of the server.
 */
export const isPooled = (answer: Answered): boolean => answer[0]?.pid !== answer.state?.pid;

/**
 * Asks over `sql` whether a pooler stands in front of the server, and ends `sql` if no answer comes.
 *
 * @throws the error of postgres.js.
 */
export async function askWhetherPooled(sql: Sql): Promise<boolean> {
	try {
		const asked = sql.unsafe(`select ${servedBy}`);
		return isPooled((await withTimeLimit(answerMilliseconds, asked, "CONNECT_TIMEOUT")) as unknown as Answered);
	} catch (error) {
		sql.end({ timeout: 0 }).catch(() => {});
		throw error;
	}
}

/** PgBouncer's code for an unknown setting; PostgreSQL's codes for an unknown name and a wrong value. */
const refusals = new Set(["08P01", "42704", "22023"]);

/**
 * This side gives up first; these settings bound what the server does for nobody. A wait for a lock ends earlier, so
 * that its outcome is known. None of them cuts short a commit that waits for a synchronous standby.
 */
function settingsOf(statementTimeoutMilliseconds: number | null): Record<string, string> {
	const most = statementTimeoutMilliseconds === null ? "0" : String(statementTimeoutMilliseconds + 1000);
	return {
		statement_timeout: most,
		lock_timeout: String(Math.ceil(((statementTimeoutMilliseconds ?? 0) * 5) / 6)),
		idle_in_transaction_session_timeout: most,
		idle_session_timeout: String(idleSecondsAtServer * 1000),
		tcp_keepalives_idle: "10",
		tcp_keepalives_interval: "5",
		tcp_keepalives_count: "3",
		tcp_user_timeout: "25000",
	};
}

/** postgres.js splits the host at the first colon, which cuts an IPv6 address. */
function literalAddress(url: string): { host: string[]; port: number[] } | null {
	const { hostname, port } = new URL(url);
	return hostname.startsWith("[") ? { host: [hostname.slice(1, -1)], port: [Number(port || 5432)] } : null;
}

const names = Object.keys(settingsOf(0));
