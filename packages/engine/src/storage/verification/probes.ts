import sql from "sql-template-tag";
import type { ByteStores, Clock } from "../../ports/index.ts";
import type { Parts } from "../../system/index.ts";
import { publicFolder } from "../profiles/public-urls.ts";

const folder = "probe/";
/** Longer than any round trip takes, even one of a server that stood still. */
const oldMilliseconds = 30_000;

/** Names a probe of now. The name of its object says when it was made, and which upload goes with it. */
export function nameProbe(clock: Clock, id: string): { readonly prefix: string; readonly key: string } {
	const prefix = `${folder}${clock.now()}.${id}/`;
	return { prefix, key: `${prefix}object` };
}

/**
 * Removes the probe `own`, and those that interrupted round trips left. The upload goes first: while it may exist, the
 * object tells of it.
 */
export async function removeProbes({ uploads, outputs }: ByteStores, clock: Clock, own?: string): Promise<void> {
	for await (const { key } of outputs.list(folder)) {
		const [, prefix = "", at = "0", id] = /^(probe\/(?:(\d+)\.)?([0-9a-f-]{36})\/)object$/.exec(key) ?? [];
		if (id === undefined || (id !== own && Number(at) > clock.now() - oldMilliseconds)) continue;
		await uploads.discard(id);
		await outputs.deletePrefix(`${publicFolder}${prefix}`);
		await outputs.deletePrefix(prefix);
	}
}

/**
 * Makes the sweeper look for probes at the place of this profile (`null`: on the local disk) once its round trips are
 * over, in case one was interrupted.
 */
export type NoteProbes = (profileId: string | null) => Promise<void>;

export function createNoteProbes({ database, clock }: Parts): NoteProbes {
	return async (profileId) => {
		const now = clock.now();
		await database.query(sql`
			insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
			values ('probes', ${folder}, ${profileId}::uuid, ${new Date(now)}, ${new Date(now + oldMilliseconds + 10_000)})
			on conflict (coalesce(storage_profile_id, '00000000-0000-0000-0000-000000000000')) where kind = 'probes' do update set not_before = excluded.not_before`);
	};
}
