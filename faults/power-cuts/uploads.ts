import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../plan/random.ts";
import { type Answer, ask, codeOf } from "../processes/ask.ts";

/** An upload, and what servers have said about it. */
export type SentUpload = {
	readonly id: string;
	readonly content: Buffer;
	/** The highest offset that any answer told. */
	told: number;
	/** Its deletion was requested, so nothing is promised about it any more. */
	isOver: boolean;
};

export type Uploader = {
	readonly uploads: ReadonlyMap<string, SentUpload>;
	/** Answers that no server may give. */
	readonly wrong: readonly string[];
	/** Ends after the current upload. */
	stop(): Promise<void>;
};

const tus = { "tus-resumable": "1.0.0" };
const keptWhole = 3;

/** Sends one upload after the other by tus, each in pieces and through any server, and goes on whatever happens. */
export function startUploader(options: {
	readonly apiKey: string;
	readonly random: Random;
	readonly urls: () => readonly string[];
}): Uploader {
	const { apiKey, random, urls } = options;
	const uploads = new Map<string, SentUpload>();
	const wrong: string[] = [];
	let isStopped = false;
	const api = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

	const once = async (question: {
		path: string;
		method: string;
		headers: Readonly<Record<string, string>>;
		body?: Uint8Array;
	}): Promise<Answer | null> => {
		const [first, ...others] = urls();
		if (first === undefined) return null;
		return ask({
			...question,
			url: `${random.pick([first, ...others])}${question.path}`,
			patienceMilliseconds: 20_000,
		}).catch(() => null);
	};
	/** Asks until there is an answer. */
	const insist = async (question: Parameters<typeof once>[0]): Promise<Answer> => {
		while (true) {
			const answer = await once(question);
			if (answer !== null && answer.status < 500 && answer.status !== 429) return answer;
			await sleep(30);
		}
	};
	const tell = (upload: SentUpload, answer: Answer): number => {
		const offset = Number(answer.headers["upload-offset"] ?? Number.NaN);
		if (offset < upload.told) wrong.push(`${upload.id} stood at ${upload.told}, and then at ${offset}`);
		if (offset > upload.told) upload.told = offset;
		return offset;
	};

	const send = async (): Promise<void> => {
		const size = random.chance(0.1) ? random.integer(17_000_000, 20_000_000) : random.integer(10_000, 1_500_000);
		const body = Buffer.from(JSON.stringify({ content_type: "video/mp4", file_size: size }));
		const initiated = await insist({ path: "/v1/videos", method: "POST", headers: api, body });
		if (initiated.status !== 201) throw new Error(`an initiate was answered ${initiated.status} ${codeOf(initiated)}`);
		const { video, upload: ticket } = JSON.parse(initiated.body.toString()) as {
			video: { id: string };
			upload: { token: string };
		};
		const upload: SentUpload = { id: video.id, content: randomBytes(size), told: 0, isOver: false };
		const token = { ...tus, authorization: `Bearer ${ticket.token}` };
		const metadata = `video_id ${Buffer.from(video.id).toString("base64")}`;
		await insist({
			path: "/uploads",
			method: "POST",
			headers: { ...token, "upload-length": String(size), "upload-metadata": metadata },
		});
		uploads.set(video.id, upload);
		const path = `/uploads/${video.id}`;
		for (let offset = 0; offset < size; ) {
			const piece = upload.content.subarray(offset, offset + random.integer(1, Math.max(200_000, size)));
			const headers = { ...token, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
			const answer = await once({ path, method: "PATCH", headers, body: piece });
			if (answer?.status === 204) {
				offset = tell(upload, answer);
				continue;
			}
			const head = await insist({ path, method: "HEAD", headers: token });
			if (head.status === 200) offset = tell(upload, head);
			else if (head.status === 409) offset = upload.told = size;
			else wrong.push(`${video.id}: HEAD was answered ${head.status}`);
		}
	};
	const removeOldest = async (): Promise<void> => {
		const whole = [...uploads.values()].filter(({ told, content, isOver }) => told === content.length && !isOver);
		for (const upload of whole.slice(0, -keptWhole)) {
			upload.isOver = true;
			await insist({ path: `/v1/videos/${upload.id}`, method: "DELETE", headers: api });
			uploads.delete(upload.id);
		}
	};
	const running = (async () => {
		while (!isStopped) {
			await send();
			await removeOldest();
		}
	})().catch((error: unknown) => wrong.push(String(error)));

	return {
		uploads,
		wrong,
		async stop() {
			isStopped = true;
			await running;
		},
	};
}
