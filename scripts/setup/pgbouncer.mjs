import { findProgram } from "./paths.mjs";

/** PgBouncer, the pooler that the database tests run behind. Debian keeps it out of most users' PATH. */
export const findPgbouncer = () => findProgram("pgbouncer") ?? findProgram("/usr/sbin/pgbouncer");

/** @type {import("./programs.mjs").Program} */
export const pgbouncer = { name: "pgbouncer", find: findPgbouncer, debian: "pgbouncer", brew: "pgbouncer" };
