import { entriesOf } from "../history/history.ts";
import type { FinalVideo } from "../world/observe/final-state.ts";
import type { Breach, Invariant } from "./invariant.ts";

/** The time after which the leftovers of a killed server must be gone. */
const leftoverSeconds = 600;
/** The sums of the outputs beside it. */
const sumsFile = "SHA256SUMS";

const isProcessing = ({ state }: FinalVideo): boolean => ["queued", "locked", "encoding"].includes(state);
const sizeOf = ({ outputs }: FinalVideo): number =>
	Object.values(outputs?.files ?? {}).reduce((sum, size) => sum + size, 0);
const storedBytes = (video: FinalVideo): number => {
	if (video.deleted) return 0;
	if (video.state === "available") return sizeOf(video);
	return video.state === "uploaded" || isProcessing(video) ? video.fileSize : 0;
};
const sum = (videos: readonly FinalVideo[], amount: (video: FinalVideo) => number): number =>
	videos.reduce((total, video) => total + amount(video), 0);

export const countersAreExact: Invariant = {
	name: "counters are exact",
	promise:
		"Each domain's processing slots and its stored, reserved and uploaded bytes are the sums over its videos: each change was counted exactly once.",
	check({ final }) {
		return final.domains.flatMap((domain) => {
			const videos = final.videos.filter((video) => video.domain === domain.id);
			const pending = sum(videos, ({ state, deleted, fileSize }) =>
				state === "pending_upload" && !deleted ? fileSize : 0,
			);
			const wasWhole = new Set(final.moves.filter(({ to }) => to === "uploaded").map(({ video }) => video));
			const expected = {
				processing: videos.filter(isProcessing).length,
				storedBytes: sum(videos, storedBytes),
				reservedBytes: pending,
				uploadedBytes: sum(videos, ({ id, fileSize }) => (wasWhole.has(id) ? fileSize : 0)),
				dayReservedBytes: pending,
			};
			const wrong = Object.entries(expected).filter(([name, value]) => domain[name as keyof typeof expected] !== value);
			return wrong.length === 0
				? []
				: [
						{
							message: `the counters of ${domain.slug} are wrong: ${wrong.map(([name]) => name).join(", ")}`,
							shownBy: [domain, expected],
						},
					];
		});
	},
};

export const nobodyFalls: Invariant = {
	name: "nobody falls",
	promise: "No server and no worker ends by itself, whatever it lacks.",
	check: ({ history }) =>
		entriesOf(history, "fell").map((entry) => ({
			message: `${entry.name} ended by itself (${entry.how})`,
			shownBy: [entry],
		})),
};

export const rowsMatchStorage: Invariant = {
	name: "rows match storage",
	promise: "`reelmill check` finds no difference between the database and storage, in either direction.",
	check: ({ final: { differences } }) =>
		differences.length === 0
			? []
			: [{ message: `the check found ${differences.length} differences`, shownBy: differences }],
};

export const storageIsTidy: Invariant = {
	name: "storage is tidy",
	promise:
		"Every file of an available video exists in its size. The disk and the bucket hold nothing else but the sums of these files: no raw upload and no output of a failed attempt (except those recorded for a later deletion), no incomplete multipart upload, no test object. The data directory holds nothing that a killed server left more than ten minutes ago.",
	check({ final }) {
		const breaches: Breach[] = [];
		const wanted = new Set<string>();
		for (const video of final.videos) {
			if (video.state !== "available" || video.deleted || video.outputs === null) continue;
			wanted.add(`${video.outputs.prefix}${sumsFile}`);
			for (const [path, size] of Object.entries(video.outputs.files)) {
				const first = `${video.outputs.prefix}${path}`;
				const folder = video.outputs.added?.[path];
				const key = folder === undefined ? first : folder + path;
				// The first file stays where it is beside one that was changed.
				wanted.add(first).add(key);
				const found = final.outputs[key];
				if (found === undefined || (found !== -1 && found !== size))
					breaches.push({ message: `${key} has ${found} bytes instead of ${size}`, shownBy: [video] });
			}
		}
		const comesLater = (key: string): boolean => final.laterDeletions.some((reference) => key.startsWith(reference));
		const left = Object.keys(final.outputs).filter((key) => !wanted.has(key) && !comesLater(key));
		if (left.length > 0) breaches.push({ message: `${left.length} outputs lie about`, shownBy: left });
		const pending = new Set(final.videos.filter(({ state }) => state === "pending_upload").map(({ id }) => id));
		const raw = final.uploads.filter((key) => !pending.has(key.slice(0, 36)) && !comesLater(key));
		if (raw.length > 0)
			breaches.push({
				message: `${raw.length} raw uploads lie about`,
				shownBy: raw.map((key) => [key, final.videos.find(({ id }) => key.startsWith(id))]),
			});
		const unfinished = final.unfinished.filter((key) => !pending.has(key.slice(0, 36)) && !comesLater(key));
		if (unfinished.length > 0)
			breaches.push({ message: `${unfinished.length} multipart uploads are half made`, shownBy: unfinished });
		const old = Object.entries(final.others).filter(([, age]) => age > leftoverSeconds);
		if (old.length > 0) breaches.push({ message: `${old.length} files lie about in the data directory`, shownBy: old });
		if (final.dueDeletions > 0)
			breaches.push({ message: `${final.dueDeletions} notes of bytes to be deleted were never settled`, shownBy: [] });
		return breaches;
	},
};
