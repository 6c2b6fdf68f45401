import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import type { History } from "../history/history.ts";
import type { Disturbances } from "./disturbances.ts";

export type Postgres = {
	readonly url: string;
	readonly port: number;
	/** The driver's own connections, which no proxy breaks. */
	readonly database: PostgresDatabase;
	isUp(): boolean;
	/** Ends the server without a checkpoint, by SIGQUIT ("immediate") or SIGKILL, and starts it again after so long. Resolves, with false where it was down already, when it takes connections. */
	crash(signal: NodeJS.Signals, milliseconds: number): Promise<boolean>;
	/** Kills one process of a connection, upon which the server ends all others and recovers. Resolves with false where there was none. */
	killBackend(): Promise<boolean>;
	/** Ends the connections of all others in order; answers how many. */
	terminateBackends(): Promise<number>;
	stop(): Promise<void>;
};

/** Nothing here outlives a power cut, which no process can stage: every other promise of the defaults stands. */
const settings = { fsync: "off", max_connections: "120", restart_after_crash: "on" };
const others = "from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";

export async function startPostgres({
	directory,
	history,
	disturbances,
}: {
	directory: string;
	history: History;
	disturbances: Disturbances;
}): Promise<Postgres> {
	let server: EmbeddedPostgres = await startEmbeddedPostgres({ directory, settings });
	const { url } = server;
	const port = Number(new URL(url).port);
	const database = createPostgresDatabase({ url, maxConnections: 4 });
	let isUp = true;

	const down = () => {
		isUp = false;
		history.add({ kind: "postgres", is: "down" });
		return disturbances.begin({ what: "down", way: "database" });
	};
	const up = (end: () => void) => {
		isUp = true;
		end();
		history.add({ kind: "postgres", is: "up" });
	};
	/** Until a connection is taken and answers. */
	const answers = async (): Promise<void> => {
		while (!(await database.ping().then(...answered))) await sleep(20);
	};

	return {
		url,
		port,
		database,
		isUp: () => isUp,
		async crash(signal, milliseconds) {
			if (!isUp) return false;
			const end = down();
			const before = await childrenOf(server.pid);
			process.kill(server.pid, signal);
			await server.stop();
			// Of a postmaster that was killed the children end by themselves, and until then nobody can take its place.
			while (before.some(isAlive)) await sleep(5);
			await sleep(milliseconds);
			server = await startEmbeddedPostgres({ directory, settings, port });
			await answers();
			up(end);
			return true;
		},
		async killBackend() {
			if (!isUp) return false;
			const [row] = await database.query<{ pid: number }>({ text: `select pid ${others} order by random() limit 1`, values: [] }).catch(() => []);
			if (!row) return false;
			const end = down();
			process.kill(row.pid, "SIGKILL");
			await sleep(50);
			await answers();
			up(end);
			return true;
		},
		async terminateBackends() {
			if (!isUp) return 0;
			const rows = await database.query({ text: `select pg_terminate_backend(pid) ${others}`, values: [] }).catch(() => []);
			return rows.length;
		},
		async stop() {
			await database.close();
			await server.stop();
		},
	};
}

const answered = [() => true, () => false] as const;

const isAlive = (pid: number): boolean => {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
};

async function childrenOf(pid: number): Promise<number[]> {
	const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", String(pid)]).catch(() => ({ stdout: "" }));
	return stdout.split("\n").map(Number).filter(Boolean);
}
