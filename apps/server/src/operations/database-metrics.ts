import { Gauge, Histogram, type Registry } from "@prometheus-io/client";
import type { Database } from "@reelmill/engine";

/** What a database tells of its connections. */
export type Load = { load(): { readonly running: number; readonly waiting: number } };

/** From a row by its key to the limit of a statement, in seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 6];

/** Creates the metrics of statements. Returns a function that measures the statements of a database. */
export function createDatabaseMetrics(
	registry: Registry,
	elapsed: () => number,
): (database: Database & Load) => Database {
	const registers = [registry];
	const statements = new Histogram({
		name: "reelmill_database_statement_duration_seconds",
		help: "How long statements took, the wait for a connection included.",
		labelNames: ["outcome"] as const,
		buckets,
		registers,
	});
	const outcomes = { ok: statements.labels("ok"), failed: statements.labels("failed") };
	let load: Load["load"] = () => ({ running: 0, waiting: 0 });
	const gauge = (name: string, help: string, read: (now: ReturnType<Load["load"]>) => number) =>
		new Gauge({
			name,
			help,
			registers,
			collect() {
				this.set(read(load()));
			},
		});
	gauge(
		"reelmill_database_connections_in_use",
		"Connections of this server that run a statement.",
		(now) => now.running,
	);
	gauge("reelmill_database_statements_waiting", "Statements that wait for a connection.", (now) => now.waiting);
	return (database) => {
		load = () => database.load();
		return {
			migrate: (migrations) => database.migrate(migrations),
			async query(statement) {
				const startedAt = elapsed();
				try {
					const rows = await database.query(statement);
					outcomes.ok.observe((elapsed() - startedAt) / 1000);
					return rows as never;
				} catch (error) {
					outcomes.failed.observe((elapsed() - startedAt) / 1000);
					throw error;
				}
			},
		};
	};
}
