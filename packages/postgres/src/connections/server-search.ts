import { setTimeout as sleep } from "node:timers/promises";
import type { Host, Wanted } from "./server-url.ts";
import { type Answered, answerMilliseconds, isPooled, type Sessions, type Sql, servedBy } from "./sessions.ts";
import { withTimeLimit } from "./time-limit.ts";

/** A suitable server, with a session on it, and whether a pooler stands in front of it. */
export type FoundServer = { readonly host: Host; readonly sql: Sql; readonly pooled: boolean };

/** A server's place in the history of its cluster, if it tells. A promotion begins a new timeline. */
type Place = { readonly cluster: string; readonly timeline: string };
type Standing = { readonly follows: boolean; readonly read_only: boolean };
type Answer = { readonly suits: (FoundServer & { readonly place: Place | null }) | null; readonly refusal: string };

/** The result of the search. From then on only the chosen server is listened to. */
type Chosen = { sql: Sql | null; readonly onReadOnly: (() => void) | undefined };

/**
 * How long the other hosts' answers are waited for once one is suitable, and how long an unsuitable host is left alone
 * while others are silent.
 */
const patienceMilliseconds = 250;
/** The pause between questions while every host has answered and none is suitable. */
const pauseMilliseconds = 100;

const standing = `select pg_is_in_recovery() as follows, current_setting('transaction_read_only') = 'on' as read_only, ${servedBy}`;
const place =
	"select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline, system_identifier::text as cluster from pg_control_system() where not pg_is_in_recovery()";

/**
 * Finds the wanted server among the hosts of a URL. All hosts are asked at once, so that one that hangs holds up no
 * other; those that decline are asked again while one hangs. Of two primaries, the one with the later timeline is
 * taken. A primary that is older than one seen before is refused: after a failover the old primary may come back
 * without knowing.
 */
export class ServerSearch {
	readonly #hosts: readonly Host[];
	readonly #wanted: Wanted;
	readonly #sessions: Sessions;
	#seen: Place | null = null;

	constructor(hosts: readonly Host[], wanted: Wanted, sessions: Sessions) {
		this.#hosts = hosts;
		this.#wanted = wanted;
		this.#sessions = sessions;
	}

	/**
	 * Resolves with the server and up to `max` sessions on it, which the caller ends. `onReadOnly` is called when the
	 * server stops taking writes. Rejects, with a reason for each host, as soon as every host has declined or couldn't be
	 * reached.
	 */
	async find(max: number, onReadOnly?: () => void): Promise<FoundServer> {
		const asked = new Map<Host, Promise<unknown>>();
		const answers = new Map<Host, Answer>();
		const chosen: Chosen = { sql: null, onReadOnly };
		for (;;) {
			for (const host of this.#hosts.filter((one) => !asked.has(one))) {
				const answered = this.#ask(host, max, chosen).then((answer) => {
					if (chosen.sql) end(answer.suits?.sql);
					else answers.set(host, answer);
				});
				asked.set(host, answered);
			}
			await settledWithin(patienceMilliseconds, [...asked.values()]);
			const found = this.#latest(this.#hosts.flatMap((host) => answers.get(host) ?? []));
			if (found) {
				chosen.sql = found.sql;
				for (const { suits } of answers.values()) if (suits?.sql !== found.sql) end(suits?.sql);
				return found;
			}
			if (answers.size === this.#hosts.length) {
				await sleep(pauseMilliseconds);
				throw nobody([...answers].map(([host, { refusal }]) => `${host.name} ${refusal}`));
			}
			for (const host of answers.keys()) asked.delete(host);
			answers.clear();
		}
	}

	async #ask(host: Host, max: number, chosen: Chosen, isSecond = false): Promise<Answer> {
		const sql = this.#sessions.open(host, max, (which) => {
			if (chosen.sql === sql && (which === "in_hot_standby" || this.#wanted === "read-write")) chosen.onReadOnly?.();
		});
		try {
			const answer = await withTimeLimit(answerMilliseconds, sql.unsafe<Standing[]>(standing), "CONNECT_TIMEOUT");
			const [row] = answer;
			const refusal = row ? refusalOf(this.#wanted, row) : "gave no answer";
			const found = refusal === null ? await placeOf(sql) : null;
			const pooled = isPooled(answer as unknown as Answered);
			if (refusal === null && !isOlder(found, this.#seen))
				return { suits: { host, sql, pooled, place: found }, refusal: "" };
			end(sql);
			return { suits: null, refusal: refusal ?? "is a primary of before the last failover" };
		} catch (error) {
			end(sql);
			if (!isSecond && this.#sessions.refused(error)) return this.#ask(host, max, chosen, true);
			const { message, code } = error as { message?: string; code?: string };
			return { suits: null, refusal: `can't be used (${message || code})` };
		}
	}

	#latest(answers: readonly Answer[]): FoundServer | null {
		const [first, ...others] = answers.flatMap(({ suits }) => suits ?? []);
		if (!first) return null;
		const found = others.reduce((latest, one) => (isOlder(latest.place, one.place) ? one : latest), first);
		this.#seen = found.place ?? this.#seen;
		return found;
	}
}

function refusalOf(wanted: Wanted, { follows, read_only }: Standing): string | null {
	if (wanted !== "any" && follows) return "is a standby";
	return wanted === "read-write" && read_only ? "takes no writes" : null;
}

/**
 * Returns null if the server doesn't tell: a standby, a role without the right, or a service that only speaks
 * PostgreSQL's protocol.
 */
async function placeOf(sql: Sql): Promise<Place | null> {
	const rows = await withTimeLimit(answerMilliseconds, sql.unsafe<Place[]>(place), "CONNECT_TIMEOUT").catch(() => []);
	return rows[0] ?? null;
}

/** Two clusters can't be compared: one that was restored from a dump, or upgraded, counts anew. */
const isOlder = (one: Place | null, other: Place | null): boolean =>
	one !== null && other !== null && one.cluster === other.cluster && one.timeline < other.timeline;

const end = (sql: Sql | undefined): void => void sql?.end({ timeout: 0 }).catch(() => {});

const nobody = (reasons: readonly string[]): Error =>
	Object.assign(new Error(`no server will do: ${reasons.join(", ")}`), { code: "ENOSERVER" });

async function settledWithin(milliseconds: number, promises: readonly Promise<unknown>[]): Promise<void> {
	const late = new AbortController();
	await Promise.race([Promise.all(promises), sleep(milliseconds, undefined, late).catch(() => {})]);
	late.abort();
}
