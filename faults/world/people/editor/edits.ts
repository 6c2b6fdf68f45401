import { setTimeout as sleep } from "node:timers/promises";
import type { EditOf } from "../../../history/entries.ts";
import { decodePictures, nearestPicture } from "../../pictures.ts";
import type { Context, Edited } from "./context.ts";
import { pictureOf, posterOf } from "./posters.ts";

type Request = { readonly method: "PUT" | "DELETE"; readonly type?: string; readonly body?: Uint8Array };
const put = (type: string, text: string): Request => ({ method: "PUT", type, body: Buffer.from(text) });
const json = (value: object): Request => put("application/json", JSON.stringify(value));

/** Where each is edited and read, how a number is said in it, and the longest pause between two edits. */
const parts: Readonly<Record<EditOf, { path: string; say(number: number): Request; pauseMilliseconds: number }>> = {
	captions: {
		path: "captions/de",
		say: (number) => put("text/vtt", `WEBVTT\n\n00:00.000 --> 00:00.900\nedit ${number}\n`),
		pauseMilliseconds: 1500,
	},
	chapters: {
		path: "chapters",
		say: (number) => json({ chapters: [{ start_seconds: 0, title: `edit ${number}` }] }),
		pauseMilliseconds: 1500,
	},
	metadata: {
		path: "metadata",
		say: (number) => json({ title: `edit ${number}`, values: { edit: String(number) } }),
		pauseMilliseconds: 1500,
	},
	poster: {
		path: "poster",
		say(number) {
			const poster = posterOf(number);
			if (poster === "automatic") return { method: "DELETE" };
			return "picture" in poster ? { method: "PUT", type: "image/png", body: poster.picture } : json(poster);
		},
		pauseMilliseconds: 4000,
	},
};
const mostEdits = 4;

/** Creates the functions by which a tenant edits one part of a video, and reads at the end what it has. */
export function createEdits({ history, random, ask, read, isOpen, pictures }: Context) {
	/** Returns which of the posters that were sent is served; null if none of them is. */
	const readPoster = async ({ tenant, seconds, sent }: Edited, text: string) => {
		const { state, poster_url: url } = JSON.parse(text) as { state: string; poster_url: string | null };
		const numbers = sent.poster ?? [];
		if (state === "automatic") return { number: numbers.findLast((each) => posterOf(each) === "automatic") ?? null };
		if (state !== "available" || url === null) return { number: null, failed: state === "failed" };
		const { pathname, search } = new URL(url);
		const served = await read(tenant, "read poster", pathname + search);
		const [shown] = await decodePictures(served?.body ?? Buffer.of());
		const candidates = numbers.filter((each) => posterOf(each) !== "automatic");
		const nearest =
			shown &&
			nearestPicture(
				shown,
				candidates.map((each) => pictureOf(each, seconds, pictures)),
			);
		return { number: candidates[nearest ?? -1] ?? null };
	};
	return {
		/** Sends some edits of one part, one after the other. */
		async edit({ tenant, video, sent }: Edited, of: EditOf, first: number): Promise<void> {
			const edits = random.integer(1, mostEdits);
			for (let number = first; number < first + edits && isOpen(); number++) {
				await sleep(random.integer(0, parts[of].pauseMilliseconds));
				history.add({ kind: "edits", video, of, number });
				sent[of] = [...(sent[of] ?? []), number];
				const { method, type, body } = parts[of].say(number);
				const headers = type === undefined ? {} : { "content-type": type };
				const path = `/v1/videos/${video}/${parts[of].path}`;
				const answer = await ask(tenant, `edit ${of}`, { method, path, headers, body });
				if (answer !== null && answer.status < 300) history.add({ kind: "edited", video, of, number });
			}
		},
		/** Reads what the video has of this part, and records which edit it is. */
		async readBack(edited: Edited, of: EditOf): Promise<void> {
			const { tenant, video } = edited;
			const answer = await read(tenant, `read ${of}`, `/v1/videos/${video}/${parts[of].path}`);
			const text = answer?.body.toString() ?? "";
			const said = /edit (\d+)/.exec(text)?.[1];
			const found =
				of === "poster" && answer?.status === 200
					? await readPoster(edited, text)
					: { number: said === undefined ? null : Number(said) };
			history.add({ kind: "read-edit", video, of, ...found });
		},
	};
}
