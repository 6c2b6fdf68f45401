import type { Difference, DifferenceKind } from "@reelmill/contracts";
import type { OwnedStores } from "../storage/index.ts";
import type { Place } from "./places.ts";

/** What a step is requested to repair (default: nothing). */
export type Requested = {
	readonly repair: boolean;
	readonly adopt: boolean;
	readonly removeOrphans: boolean;
	readonly removeUnknownDomains: boolean;
};

/** A difference, as an inspection reports it. */
export type Found = {
	readonly kind: DifferenceKind;
	readonly reference: string;
	readonly domainId?: string;
	readonly videoId?: string;
	readonly message: string;
};

/** One step's inspection of one place. */
export type Inspection = {
	readonly place: Place;
	readonly stores: OwnedStores;
	readonly requested: Requested;
	readonly now: Date;
	/**
	 * Returns whether a thing is left alone because one of these times, of its row or its files, is too recent. It counts
	 * as passed over then.
	 */
	isTooYoung(times: readonly (Date | undefined)[]): boolean;
	/** Notes a difference. If the step is requested to repair it, `mend` is called; it returns whether it did. */
	found(found: Found, mend: (() => Promise<boolean>) | null): Promise<void>;
	/** Counts what was looked at. */
	saw(rows: number, objects: number): void;
	/** Counts bytes that were read. */
	read(bytes: number): void;
	/** Counts a video, or an outro, of which some files can't be compared, since no sum of them is kept. */
	lacksSums(): void;
	/** Returns whether the step's time is over: then a phase ends where it is. */
	isOver(): boolean;
};

/**
 * Inspects one bounded part of a place after `after`. Returns where the next part begins; `null` if the place has no
 * more of it.
 */
export type Inspect = (inspection: Inspection, after: string) => Promise<string | null>;

export const difference = (
	place: string,
	{ kind, reference, domainId, videoId, message }: Found,
	mended: boolean,
): Difference => ({
	kind,
	place,
	reference,
	domain_id: domainId ?? null,
	video_id: videoId ?? null,
	message,
	mended,
});

/**
 * How long the remains of something lost, and what might be adopted, are kept: until then a backup may complete them.
 */
export const keptSeconds = 7 * 86_400;

/** Returns a few of the names, and how many more there are. */
export const named = (paths: readonly string[]): string => {
	const shown = [...paths].sort().slice(0, 5).join(", ");
	return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
};
