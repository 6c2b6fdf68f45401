import postgres from "postgres";
import type { Host } from "./server-url.ts";
import { valueTypes } from "./value-types.ts";

export type Sql = ReturnType<typeof postgres>;
export type SessionsOptions = {
	readonly connectTimeoutMilliseconds: number;
	readonly statementTimeoutMilliseconds: number;
	readonly onNotice: (notice: { readonly message: string; readonly code: string | undefined }) => void;
	/** The server, or a pooler before it, takes no settings with a connection. */
	readonly onRefusedSettings: (error: unknown) => void;
};

/**
 * A session that does nothing is closed after so long by this side, and by the server a little later if this side is
 * gone without a word.
 */
const idleSeconds = 20;
const idleSecondsAtServer = 30;

/** Opens sessions on one server, with what bounds their life there when this side is gone. */
export class Sessions {
	readonly #options: SessionsOptions;
	#settings: Readonly<Record<string, string>> | null;

	constructor(options: SessionsOptions) {
		this.#options = options;
		this.#settings = settingsOf(options.statementTimeoutMilliseconds);
	}

	/**
	 * Up to `max` sessions on `host`; opens none before the first statement. `onReadOnly` is told when one of them says
	 * that it takes no writes.
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
			// In the type of this version of postgres.js its `host` is one text, although it takes several.
		} as object);
	}

	/**
	 * Whether `error` says that the settings were refused. Then later sessions are opened without them, and what was
	 * refused may be tried once more.
	 */
	refused(error: unknown): boolean {
		const { code, message } = error as { code?: string; message?: string };
		if (!refusals.has(code ?? "") || !names.some((name) => message?.includes(name))) return false;
		if (this.#settings) this.#options.onRefusedSettings(error);
		this.#settings = null;
		return true;
	}
}

/** PgBouncer's code for what it doesn't know; PostgreSQL's for a name or a value that it doesn't. */
const refusals = new Set(["08P01", "42704", "22023"]);

/**
 * This side gives up first, so these bound what the server does for nobody. A lock's wait ends before that, because its
 * end is then known. A commit that waits for a synchronous standby is cut short by none of them.
 */
function settingsOf(statementTimeoutMilliseconds: number): Record<string, string> {
	return {
		statement_timeout: String(statementTimeoutMilliseconds + 1000),
		lock_timeout: String(Math.ceil((statementTimeoutMilliseconds * 5) / 6)),
		idle_in_transaction_session_timeout: String(statementTimeoutMilliseconds + 1000),
		idle_session_timeout: String(idleSecondsAtServer * 1000),
		tcp_keepalives_idle: "10",
		tcp_keepalives_interval: "5",
		tcp_keepalives_count: "3",
		tcp_user_timeout: "25000",
	};
}

/** postgres.js splits at the first colon what stands for the host, and so cuts an IPv6 address. */
function literalAddress(url: string): { host: string[]; port: number[] } | null {
	const { hostname, port } = new URL(url);
	return hostname.startsWith("[") ? { host: [hostname.slice(1, -1)], port: [Number(port || 5432)] } : null;
}

const names = Object.keys(settingsOf(0));
