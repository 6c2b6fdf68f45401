import { type CheckStep, type Difference, isReelmillError } from "@reelmill/contracts";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { CountersInspection } from "./counters.ts";
import { isId, type Phase, type Position, phases, readCursor, writeCursor } from "./cursor.ts";
import { difference, type Found, type Inspect, type Inspection, type Requested } from "./inspection.ts";
import type { Place, Places } from "./places.ts";

/** What one step of the check is to look at, and what it may change. */
export type CheckOptions = Partial<Requested> & {
	readonly cursor?: string | undefined;
	/** Whether to look at what was written within the last hour as well: only if nothing writes (default: false). */
	readonly young?: boolean | undefined;
	/** Whether to read outputs, and to compare their bytes with the sums that are kept of them (default: false). */
	readonly deep?: boolean | undefined;
};
export type Step = (options?: CheckOptions) => Promise<CheckStep>;

/** A step stays below 10 s even with one slow answer of a storage at its end. */
const stepMilliseconds = 2500;
/** A step ends after so many differences, so that its answer stays small. */
const mostDifferences = 500;

/** The check's one operation: see `Check.step`. */
export function createStep(
	{ clock }: Parts,
	{
		places,
		stores,
		inspections,
		counters,
		untouchedSeconds,
	}: {
		places: Places;
		stores: Stores;
		inspections: { readonly [P in Phase]: Inspect };
		counters: CountersInspection;
		/** How long a thing must have been left alone before the check reports it. */
		untouchedSeconds: number;
	},
): Step {
	return async function step({
		cursor,
		repair = false,
		adopt = false,
		removeOrphans = false,
		removeUnknownDomains = false,
		young = false,
		deep = false,
	} = {}) {
		const requested: Requested = { repair, adopt, removeOrphans, removeUnknownDomains };
		const now = clock.now();
		const begunAt = clock.elapsed();
		const found: Difference[] = [];
		const seen = { rows: 0, objects: 0, bytes: 0 };
		const untouchedSince = young ? Number.POSITIVE_INFINITY : now - untouchedSeconds * 1000;
		let passedOver = 0;
		let youngest = 0;
		let withoutSums = 0;
		const isOver = () => clock.elapsed() - begunAt >= stepMilliseconds || found.length >= mostDifferences;

		const inspectionOf = async (place: Place): Promise<Inspection> => ({
			place,
			stores: await stores.of(place.profileId),
			requested,
			now: new Date(now),
			isTooYoung(times) {
				const last = times.reduce((latest, time) => Math.max(latest, time?.getTime() ?? 0), 0);
				if (last <= untouchedSince) return false;
				passedOver++;
				youngest = Math.max(youngest, last);
				return true;
			},
			async found(what, mend) {
				found.push(difference(place.name, what, mend !== null && (await mend())));
			},
			saw(rows, objects) {
				seen.rows += rows;
				seen.objects += objects;
			},
			read(bytes) {
				seen.bytes += bytes;
			},
			lacksSums() {
				withoutSums++;
			},
			isOver,
		});
		/** Returns where the check goes on after this part of a place. It leaves a place that can't be looked at. */
		const advance = async (position: Extract<Position, { place: string }>): Promise<Position> => {
			const place = await places.find(position.place);
			try {
				const next = await inspections[position.phase](await inspectionOf(place), position.after);
				if (next !== null) return { ...position, after: next };
				const phase = phases[phases.indexOf(position.phase) + 1];
				if (phase !== undefined && (phase !== "bytes" || deep)) return { place: place.name, phase, after: "" };
			} catch (error) {
				const why = unreachable(error);
				if (why === null) throw error;
				found.push(difference(place.name, { kind: "storage_unreachable", reference: place.name, message: why }, false));
			}
			const following = await places.after(place.name);
			return following === null ? { counters: "" } : { place: following.name, phase: "outputs", after: "" };
		};

		let position: Position | null =
			cursor === undefined ? { place: "local", phase: "outputs", after: "" } : readCursor(cursor);
		do {
			if ("counters" in position) {
				const take = (what: Found, mended: boolean) => void found.push(difference("local", what, mended));
				const next = await counters.inspect(position.counters, {
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
			passed_over: {
				young: passedOver,
				look_again_at: passedOver === 0 ? null : new Date(youngest + untouchedSeconds * 1000).toISOString(),
				without_sums: withoutSums,
			},
			percent: await percentOf(position, deep ? deepShares : shares),
			cursor: position && writeCursor(position),
		};
	};

	/** Returns how much of a phase comes before `after`: of all ids, or of all domains and the ids of one. */
	async function shareOf(after: string): Promise<number> {
		const [first = "", videoId] = after.split(/[/|]/);
		if (videoId === undefined || !isId.test(first)) return shareBehind(first);
		const { before, isOne, all } = await counters.rank(first);
		return (before + (isOne ? shareBehind(videoId) : 0)) / Math.max(1, all);
	}
	/** A rough measure: all places and all phases count alike. */
	async function percentOf(position: Position | null, shares: readonly number[]): Promise<number> {
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

/** The share of a place that is done when each phase begins. */
const shares = [0, 0.85, 0.93, 0.98, 1];
/** The same if bytes are read, which takes longer than all else. */
const deepShares = [0, 0.04, 0.05, 0.06, 0.07, 1];
const rounded = (percent: number): number => Math.floor(percent * 10) / 10;
/** Returns which share of all ids comes before the id that is named. */
const shareBehind = (after: string): number => Number.parseInt(after.slice(0, 4), 16) / 0x10000 || 0;

/** Returns why a storage can't be looked at; `null` for any other error. */
function unreachable(error: unknown): string | null {
	if (isReelmillError(error, "storage_backend_unsupported"))
		return "The storage's adapter can't say what it holds (it has no `survey`).";
	if (isReelmillError(error, "storage_unavailable"))
		return error.cause instanceof Error ? error.cause.message : error.message;
	const { name, code, message } = error as NodeJS.ErrnoException;
	return name === "StorageError" || /^E[A-Z]+$/.test(code ?? "") ? message : null;
}
