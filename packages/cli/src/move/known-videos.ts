import type { Import, Reelmill, Video } from "@reelmill/node";

/** What the service has of a list already, by `external_ref`. */
export type Known = {
	readonly videos: ReadonlyMap<string, Pick<Video, "id" | "state">>;
	readonly imports: ReadonlyMap<string, Import>;
};

/** The states of a video that is of no use: it is moved again. */
export const useless: readonly string[] = ["failed", "timeout", "expired", "cancelled"];
/** With more videos it is cheaper to read the whole list of the domain. */
const mostLookedUp = 100;

/** Finds the videos that are here already, and the imports that are under way. */
export async function knownVideos(
	{ videos, imports }: Pick<Reelmill, "videos" | "imports">,
	references: ReadonlySet<string>,
	signal: AbortSignal,
): Promise<Known> {
	const found = new Map<string, Pick<Video, "id" | "state">>();
	const note = async (listed: AsyncIterable<Video>): Promise<void> => {
		for await (const { id, state, external_ref: reference } of listed)
			if (reference !== null && references.has(reference) && !useless.includes(state))
				found.set(reference, { id, state });
	};
	if (references.size > mostLookedUp) await note(videos.list({ pageSize: 100, signal }));
	else for (const externalRef of references) await note(videos.list({ externalRef, signal }));
	const underWay = new Map<string, Import>();
	for (const status of ["waiting", "downloading"] as const)
		for await (const one of imports.list({ status, pageSize: 100, signal }))
			if (one.external_ref) underWay.set(one.external_ref, one);
	return { videos: found, imports: underWay };
}
