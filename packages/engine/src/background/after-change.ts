import type { Parts } from "../system/index.ts";
import { type AfterChange, isPublic, type VideoRecord } from "../videos/index.ts";
import type { BoundedWait } from "./bounded-wait.ts";
import type { Reaper } from "./reaper.ts";

export type AfterChanges = {
	/**
	 * For changes that somebody asked for. Resolves when all that follows from the change has been done or noted, after
	 * 3 s at the latest: nobody waits longer for a silent storage or database.
	 */
	readonly afterChange: AfterChange;
	/** For changes that a sweep makes. It waits for no bucket: what is to be deleted there is deleted in its turn. */
	readonly afterSweep: AfterChange;
};

const waitMilliseconds = 3000;

/** Does what follows from a saved change of a video: other nouns are told, and discarded bytes are deleted. */
export function createAfterChanges(
	{ logger }: Parts,
	{
		reaper,
		wait,
		onChanged,
		onEvent,
		onPublic,
		onNoted,
		admit,
	}: {
		reaper: Reaper;
		wait: BoundedWait["wait"];
		/** Called with each changed video. */
		onChanged: (videoId: string) => void;
		/** Called if a webhook is due. */
		onEvent: () => void;
		/** Called if a public video in a bucket was changed. */
		onPublic: () => void;
		/** Called if bytes in a bucket are to be deleted. */
		onNoted: () => void;
		/** Fills the processing slots of a domain. */
		admit: (domainId: string) => Promise<unknown>;
	},
): AfterChanges {
	const tell: AfterChange = async ({ record, eventTold }) => {
		onChanged(record.id);
		if (eventTold) onEvent();
		if (record.storage_profile_id !== null && isPublic(record)) onPublic();
		await admit(record.domain_id).catch((error: unknown) =>
			logger.error({ error }, "waiting videos could not be admitted yet"),
		);
	};
	/** Removes what viewers may no longer see from the bucket's public folder, before anything else is deleted. */
	const withdraw = async (record: VideoRecord) => {
		const profileId = record.storage_profile_id;
		if (profileId !== null && record.outputs !== null && !isPublic(record))
			await reaper
				.sweepWithdrawn(profileId)
				.catch((error: unknown) => logger.error({ error }, "what was withdrawn could not be removed yet"));
	};
	return {
		afterChange: (change) =>
			wait(async () => {
				await Promise.all([
					withdraw(change.record),
					tell(change).then(() => reaper.reap(change.discards, change.record.storage_profile_id)),
				]);
			}, waitMilliseconds),
		async afterSweep(change) {
			await tell(change);
			if (change.record.storage_profile_id === null) await reaper.reap(change.discards, null);
			else onNoted();
		},
	};
}
