import { isDeepStrictEqual } from "node:util";
import { finishWith } from "../../support/whole-outputs.ts";
import type { World } from "../world.ts";

const words = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGood morning\n";

export const edits = {
	"captions, chapters and metadata of a video, and a tenant that asks to hear of them": async (world: World) => {
		const { one, two, sound, again, unlessDone, principal, opened, pass, uploaded } = world;
		const id = await uploaded({ visibility: "public" });
		await finishWith(sound, await sound.jobs.claimById(opened.worker, id, { worker: "w" }));
		const tests = async () =>
			(await again(() => two.webhooks.listDeliveries(principal, { limit: 10, type: "webhook.test" }))).data.length;
		opened.receiver.answer = ({ onAnswer }) => {
			onAnswer?.({ headers: [["service-events", "video.updated"]], body: new Uint8Array(), isTruncated: false });
			return { status: 200, error: null };
		};
		try {
			// What the first answer asked for may be lost: the next one asks again.
			for (const sent of [1, 2]) {
				await unlessDone(
					() => one.webhooks.sendTest(principal),
					async () => (await tests()) === sent,
				);
				await pass(100);
			}
			for (const language of ["en", "de"])
				await again(() => one.captions.put(principal, id, { language, text: words }));
			await again(() => two.captions.put(principal, id, { language: "de", text: words, label: "Untertitel" }));
			await again(() => one.captions.delete(principal, id, "de"), ["not_found"]);
			const chapters = [{ start_seconds: 0, title: "One" }];
			await again(() => one.chapters.put(principal, id, [...chapters, { start_seconds: 2, title: "Two" }]));
			await again(() => two.chapters.delete(principal, id), ["not_found"]);
			await again(() => one.chapters.put(principal, id, chapters));
			const names = { title: "A day at the sea", values: { album: "2026" } };
			await again(() => two.metadata.set(principal, id, names));
			await again(() => one.metadata.set(principal, id, { ...names, title: null }));
			const found = {
				captions: Buffer.from(await again(() => two.captions.get(principal, id, "en"))).toString(),
				languages: (await again(() => two.captions.list(principal, id))).data.map(({ language }) => language),
				chapters: (await again(() => two.chapters.get(principal, id))).chapters,
				metadata: await again(() => one.metadata.get(principal, id)),
			};
			const metadata = { video_id: id, ...names, title: null };
			if (!isDeepStrictEqual(found, { captions: words, languages: ["en"], chapters, metadata }))
				throw new Error(JSON.stringify(found));
			await pass(100);
		} finally {
			opened.receiver.answer = () => ({ status: 200, error: null });
		}
	},
};
