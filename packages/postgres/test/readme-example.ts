import { createPostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";

// Or the URL of a PostgreSQL of your own, 15 or later.
const server = await startEmbeddedPostgres({ directory: "./example-data" });
const database = createPostgresDatabase({ url: server.url });

await database.migrate([
	{ name: "0001-notes", text: "create table notes (body jsonb not null); create index on notes (body)" },
]);
await database.query({ text: "insert into notes values ($1)", values: [{ title: "hello" }] });
console.log(await database.query({ text: "select body from notes", values: [] }));

await database.close();
await server.stop();
