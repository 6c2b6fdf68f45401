import { openTemplate } from "./database.ts";
import { startSystemPostgres } from "./system-postgres.ts";

type Project = { provide(key: "systemDatabase", server: { url: string; template: string }): void };

declare module "vitest" {
	interface ProvidedContext {
		/** The system's PostgreSQL server, and the name of a database in it that has the engine's schema. */
		systemDatabase: { url: string; template: string };
	}
}

/** Starts the system's PostgreSQL for the tests of one project; `use-system-database.ts` leads them to it. */
export default async function setup(project: Project): Promise<() => Promise<void>> {
	const server = await startSystemPostgres();
	const template = await openTemplate(server.url);
	project.provide("systemDatabase", { url: server.url, template: template.name });
	return async () => {
		await template.close();
		await server.stop();
	};
}
