import { type CheckStep, type Difference, isReelmillError } from "@reelmill/contracts";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { CountersLook } from "./counters.ts";
import { isId, type Phase, type Position, phases, readCursor, writeCursor } from "./cursor.ts";
import { difference, type Found, type Look, type LookAt, type Told } from "./look.ts";
import type { Place, Places } from "./places.ts";

export type CheckOptions = Partial<Told> & { readonly cursor?: string | undefined };

/** Compares what rows say with what storage holds. */
export type Check = {
	/**
	 * Does one bounded step, of a few seconds at most, and answers what it found, what of it it was told to put right,
	 * and the cursor of the next step; null after the last. What was written within the last hour, what is being worked
	 * on, and what is noted to be deleted is left alone. Done twice, a second time finds what the first didn't put right.
	 * Two checks may run at once, and a step whose answer was lost may be done again. Throws `invalid_cursor`.
	 */
	step(options?: CheckOptions): Promise<CheckStep>;
};

/** With the one slow answer of a storage that may come behind it, a step stays below 10 s. */
const stepMilliseconds = 2500;
/** A step that found so many ends: its answer is to stay small. */
const mostDifferences = 500;

export function createCheck(
	{ clock }: Parts,
	{
		places,
		stores,
		looks,
		counters,
		untouchedSeconds,
	}: {
		places: Places;
		stores: Stores;
		looks: { readonly [P in Phase]: LookAt };
		counters: CountersLook;
		/** For how long a thing must have been left alone before anything is said of it. */
		untouchedSeconds: number;
	},
): Check {
	return {
		async step({ cursor, repair = false, adopt = false, removeOrphans = false, removeUnknownDomains = false } = {}) {
			const told: Told = { repair, adopt, removeOrphans, removeUnknownDomains };
			const now = clock.now();
			const begunAt = clock.elapsed();
			const found: Difference[] = [];
			const seen = { rows: 0, objects: 0 };
			const isOver = () => clock.elapsed() - begunAt >= stepMilliseconds || found.length >= mostDifferences;

			const lookAt = async (place: Place): Promise<Look> => ({
				place,
				stores: await stores.of(place.profileId),
				told,
				now: new Date(now),
				untouchedSince: new Date(now - untouchedSeconds * 1000),
				async found(what, mend) {
					found.push(difference(place.name, what, mend !== null && (await mend())));
				},
				saw(rows, objects) {
					seen.rows += rows;
					seen.objects += objects;
				},
				isOver,
			});
			/** Where it goes on behind this part of a place; the place is left where it can't be looked at. */
			const advance = async (position: Extract<Position, { place: string }>): Promise<Position> => {
				const place = await places.find(position.place);
				try {
					const next = await looks[position.phase](await lookAt(place), position.after);
					if (next !== null) return { ...position, after: next };
					const phase = phases[phases.indexOf(position.phase) + 1];
					if (phase !== undefined) return { place: place.name, phase, after: "" };
				} catch (error) {
					const why = unreachable(error);
					if (why === null) throw error;
					found.push(
						difference(place.name, { kind: "storage_unreachable", reference: place.name, message: why }, false),
					);
				}
				const following = await places.after(place.name);
				return following === null ? { counters: "" } : { place: following.name, phase: "outputs", after: "" };
			};

			let position: Position | null =
				cursor === undefined ? { place: "local", phase: "outputs", after: "" } : readCursor(cursor);
			do {
				if ("counters" in position) {
					const take = (what: Found, mended: boolean) => void found.push(difference("local", what, mended));
					const next = await counters.look(position.counters, {
						repair,
						isOver,
						saw: (rows) => (seen.rows += rows),
						found: take,
					});
					position = next === null ? null : { counters: next };
				} else position = await advance(position);
			} while (position !== null && !isOver());
			return {
				differences: found,
				looked_at: seen,
				percent: await percentOf(position),
				cursor: position && writeCursor(position),
			};
		},
	};

	/** How much of a phase comes before `after`: of all ids, or of all domains and the ids of one. */
	async function shareOf(after: string): Promise<number> {
		const [first = "", videoId] = after.split(/[/|]/);
		if (videoId === undefined || !isId.test(first)) return shareBehind(first);
		const { before, isOne, all } = await counters.rank(first);
		return (before + (isOne ? shareBehind(videoId) : 0)) / Math.max(1, all);
	}
	/** Places and phases count alike, so it is a rough measure. */
	async function percentOf(position: Position | null): Promise<number> {
		if (position === null) return 100;
		if ("counters" in position) {
			const { before, all } = await counters.rank(position.counters);
			return 95 + rounded((4.9 * before) / Math.max(1, all));
		}
		const { before, all } = await places.rank(position.place);
		const phase = phases.indexOf(position.phase);
		const [from = 0, to = 1] = [shares[phase], shares[phase + 1]];
		return rounded((95 * (before + from + (to - from) * (await shareOf(position.after)))) / all);
	}
}

/** What of a place is done when a phase begins. */
const shares = [0, 0.85, 0.93, 0.98, 1];
const rounded = (percent: number): number => Math.floor(percent * 10) / 10;
/** How much of all ids comes before the first one that is named. */
const shareBehind = (after: string): number => Number.parseInt(after.slice(0, 4), 16) / 0x10000 || 0;

/** Why a storage can't be looked at; null for any other error. */
function unreachable(error: unknown): string | null {
	if (isReelmillError(error, "storage_backend_unsupported"))
		return "The storage's adapter can't say what it holds (it has no `survey`).";
	if (isReelmillError(error, "storage_unavailable"))
		return error.cause instanceof Error ? error.cause.message : error.message;
	const { name, code, message } = error as NodeJS.ErrnoException;
	return name === "StorageError" || /^E[A-Z]+$/.test(code ?? "") ? message : null;
}
