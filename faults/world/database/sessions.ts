import type { History } from "../../history/history.ts";
import type { Postgres } from "./postgres.ts";

const everyMilliseconds = 2000;
const count = `select count(*) as n from pg_stat_activity
	where backend_type = 'client backend' and application_name = 'reelmill' and pid <> pg_backend_pid()`;

/** Counts the connections that PostgreSQL keeps for servers, again and again, until the returned function is called. */
export function watchSessions(postgres: Postgres, history: History): () => void {
	const timer = setInterval(async () => {
		if (!postgres.isUp()) return;
		const [row] = await postgres.database.query<{ n: number }>({ text: count, values: [] }).catch(() => []);
		if (row) history.add({ kind: "sessions", count: Number(row.n) });
	}, everyMilliseconds);
	return () => clearInterval(timer);
}
