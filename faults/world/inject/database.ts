import { type Ground, type Injectors, killed } from "./injectors.ts";

/** Faults of the two PostgreSQL servers. */
export function databaseInjectors(
	ground: Ground,
): Injectors<
	"kill-postgres" | "stop-postgres" | "kill-backend" | "terminate-backends" | "fail-over" | "fill-database-disk"
> {
	const { postgres } = ground.world;
	return {
		"kill-postgres": async ({ signal, milliseconds }) =>
			killed(ground, "postgres", signal, await postgres.restart(signal, milliseconds)),
		"stop-postgres": ({ milliseconds }) => postgres.restart("SIGINT", milliseconds),
		"kill-backend": async () => killed(ground, "backend", "backend", await postgres.killBackend()),
		"terminate-backends": async () => (await postgres.terminateBackends()) > 0,
		"fail-over": async ({ how }) => killed(ground, "postgres", how, await postgres.failOver(how)),
		"fill-database-disk": ({ milliseconds }) => postgres.fillDisk(milliseconds),
	};
}
