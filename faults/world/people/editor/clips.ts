import { setTimeout as sleep } from "node:timers/promises";
import { entriesOf } from "../../../history/history.ts";
import { decodePictures, nearestPicture } from "../../pictures.ts";
import type { Context, Edited } from "./context.ts";
import { isLong } from "./posters.ts";

const rate = 10;
/** No clip is shorter than half a second. */
const leastPictures = 5;
const mostTries = 8;
const shareOfDeleted = 1 / 8;

/** Creates the functions by which a tenant cuts clips out of a video, and looks at the end at what is in them. */
export function createClips({ history, random, ask, read, isOpen, pictures }: Context) {
	const lengthOf = (seconds: number) => Math.round(seconds * rate);
	return {
		/** Asks for a clip until it is answered, each time under the same key, and may then delete the video. */
		async cut({ tenant, video: source, seconds }: Edited, key: string): Promise<void> {
			await sleep(random.integer(0, 3000));
			const length = lengthOf(seconds);
			const wanted = random.integer(leastPictures, length);
			const first = random.integer(0, length - wanted);
			const stretch = { first, pictures: wanted };
			const body = Buffer.from(JSON.stringify({ start_seconds: first / rate, end_seconds: (first + wanted) / rate }));
			history.add({ kind: "cuts", source, key, ...stretch });
			for (let tries = 0; tries < mostTries && isOpen(); tries++) {
				const headers = { "content-type": "application/json", "idempotency-key": key };
				const path = `/v1/videos/${source}/clips`;
				const answer = await ask(tenant, "cut", { method: "POST", path, headers, body });
				if (answer?.status === 201) {
					const { video } = JSON.parse(answer.body.toString()) as { video: { id: string } };
					history.add({ kind: "cut", source, key, video: video.id, ...stretch });
					// A key that was used gives the same clip, as after a lost answer.
					if (random.chance(0.7)) break;
				} else if (answer !== null && answer.status < 500 && answer.status !== 429) return;
				await sleep(random.integer(50, 1000));
			}
			if (!random.chance(shareOfDeleted)) return;
			const answer = await ask(tenant, "delete", { method: "DELETE", path: `/v1/videos/${source}` });
			if (answer?.status === 204) history.add({ kind: "ended", video: source, by: "delete" });
		},
		/** Decodes each clip that can be played, and records which pictures of its source it has. */
		async readBack(tenantOf: (video: string) => Edited | undefined): Promise<void> {
			const clips = new Map(entriesOf(history.entries, "cut").map((cut) => [cut.video, cut.source]));
			for (const [video, source] of clips) {
				const edited = tenantOf(source);
				if (edited === undefined) continue;
				const served = await read(edited.tenant, "read clip", `/videos/${video}/web.mp4`);
				if (served?.status !== 200) continue;
				const shown = await decodePictures(served.body);
				const all = isLong(edited.seconds) ? pictures.long : pictures.short;
				const [first] = shown;
				history.add({
					kind: "read-clip",
					video,
					first: (first && nearestPicture(first, all)) ?? -1,
					pictures: shown.length,
				});
			}
		},
	};
}
