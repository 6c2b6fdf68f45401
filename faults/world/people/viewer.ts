import { setTimeout as sleep } from "node:timers/promises";
import type { History } from "../../history/history.ts";
import type { Random } from "../../plan/random.ts";
import { sha256Of } from "../../processes/content.ts";
import type { AskServer } from "../../processes/told-requests.ts";

const paths = ["web.mp4", "hls/master.m3u8"] as const;

/** Creates a viewer who requests a video's files now and then, and records what came. */
export function createViewer({
	history,
	random,
	askServer,
	serverCount,
}: {
	history: History;
	random: Random;
	askServer: AskServer;
	serverCount: number;
}) {
	let isOpen = true;
	const running = new Set<Promise<void>>();

	/** Reads one file; returns true if all of it came. */
	const read = async (video: string, path: string): Promise<boolean> => {
		const answer = await askServer("read", random.integer(0, serverCount - 1), {
			method: "GET",
			path: `/videos/${video}/${path}`,
		}).catch(() => null);
		if (answer?.status !== 200) return false;
		const madeBy = /made by ([0-9a-f-]{36})/.exec(answer.body.toString("latin1"))?.[1] ?? null;
		history.add({
			kind: "served",
			video,
			path,
			etag: String(answer.headers["etag"]),
			sha256: sha256Of(answer.body),
			madeBy,
		});
		return true;
	};
	const watch = async (video: string): Promise<void> => {
		for (let times = 0; times < 4 && isOpen; times++) {
			await sleep(random.integer(0, 1500));
			await read(video, random.pick(paths));
		}
	};
	history.onEntry((entry) => {
		if (!isOpen || (entry.kind !== "completed" && entry.kind !== "claimed")) return;
		const watching: Promise<void> = watch(entry.video).finally(() => running.delete(watching));
		running.add(watching);
	});
	return {
		read,
		paths,
		/** Stops reading; resolves when no request is left. */
		async close() {
			isOpen = false;
			await Promise.all(running);
		},
	};
}
export type Viewer = ReturnType<typeof createViewer>;
