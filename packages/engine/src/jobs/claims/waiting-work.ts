import sql, { join, type Sql } from "sql-template-tag";
import { isClaimable as isChunkClaimable } from "../chunks/chunk-claims.ts";
import { isClaimable as isLateClaimable } from "../late/late-claims.ts";
import { lateKinds } from "../workers/late-kinds.ts";
import { isDue } from "./clip-claims.ts";

/** SQL: whether anything waits for a worker. Each part is one probe of an index, however much waits. */
export const waitingWork = (now: Date): Sql => sql`(
	exists (select from reelmill.jobs j where j.lock is null and ${isDue(now)})
	or exists (select from reelmill.chunks c where ${isChunkClaimable(now)})
	or ${join(
		lateKinds.map(({ table }) => sql`exists (select from ${table} t where ${isLateClaimable(now)})`),
		" or ",
	)})`;
