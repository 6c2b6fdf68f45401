import type { Difference, DifferenceKind } from "@reelmill/contracts";
import type { OwnedStores } from "../storage/index.ts";
import type { Place } from "./places.ts";

/** What a step is told to put right. Nothing of it unless told. */
export type Told = {
	readonly repair: boolean;
	readonly adopt: boolean;
	readonly removeOrphans: boolean;
	readonly removeUnknownDomains: boolean;
};

/** A difference, as whoever finds it tells of it. */
export type Found = {
	readonly kind: DifferenceKind;
	readonly reference: string;
	readonly domainId?: string;
	readonly videoId?: string;
	readonly message: string;
};

/** One step's look at one place. */
export type Look = {
	readonly place: Place;
	readonly stores: OwnedStores;
	readonly told: Told;
	readonly now: Date;
	/** What was written after this moment is left alone. */
	readonly untouchedSince: Date;
	/**
	 * Takes a difference down. `mend` is asked, where the step is told to, to put it right; it answers whether it did.
	 */
	found(found: Found, mend: (() => Promise<boolean>) | null): Promise<void>;
	/** Counts what was looked at. */
	saw(rows: number, objects: number): void;
	/** Whether the step's time is over: then a phase ends where it is. */
	isOver(): boolean;
};

/**
 * Looks at one bounded part of a place behind `after`, and answers where the next begins; null when the place has no
 * more of it.
 */
export type LookAt = (look: Look, after: string) => Promise<string | null>;

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
 * What is left of something lost, and what might be adopted, stays for so long: until then a backup may complete it.
 */
export const keptSeconds = 7 * 86_400;

/** A few of the names, and how many there are. */
export const named = (paths: readonly string[]): string => {
	const shown = [...paths].sort().slice(0, 5).join(", ");
	return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
};
