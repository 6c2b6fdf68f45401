import type { Told } from "../history/entries.ts";
import type { Random } from "../plan/random.ts";
import { type Answer, codeOf } from "./ask.ts";
import { contentOf } from "./content.ts";
import type { AskServer } from "./told-requests.ts";

/** How the upload ends unless something prevents it. */
export type Intent = "finish" | "abandon" | "cancel" | "cancel-whole" | "terminate" | "delete-whole";
export type Assignment = {
	readonly number: number;
	readonly domain: string;
	readonly apiKey: string;
	readonly seed: number;
	readonly size: number;
	readonly intent: Intent;
	/** What a killed uploader had reported about this upload. */
	readonly known: { readonly video: string; readonly token: string } | null;
};

type Context = {
	readonly clip: Uint8Array;
	readonly random: Random;
	readonly askServer: AskServer;
	readonly serverCount: number;
	readonly tell: (told: Told) => void;
	readonly sleep: (milliseconds: number) => Promise<unknown>;
};
type Ticket = { readonly video: string; readonly token: string };

const tus = { "tus-resumable": "1.0.0" };
const offsetOf = ({ headers }: Answer): number => Number(headers["upload-offset"] ?? Number.NaN);

/** Takes one upload to its intended end, whatever happens. Never rejects. */
export async function upload(assignment: Assignment, context: Context): Promise<void> {
	const { random, serverCount, askServer, tell, sleep } = context;
	const { bytes, sha256 } = contentOf(context.clip, assignment.seed, assignment.size);
	const api = { authorization: `Bearer ${assignment.apiKey}` };
	const any = () => random.integer(0, serverCount - 1);

	/** Asks until there is a usable answer. After a broken connection, or trouble of a server, it asks another server. */
	const insist = async (what: string, question: Parameters<AskServer>[2]): Promise<Answer> => {
		for (let failures = 0; ; failures++) {
			const answer = await askServer(what, any(), question).catch(() => null);
			if (answer !== null && answer.status < 500 && answer.status !== 429) return answer;
			await sleep(Math.min(1000, 50 * 2 ** failures) * random.fraction());
		}
	};

	const initiate = async (): Promise<Ticket> => {
		const body = Buffer.from(
			JSON.stringify({ content_type: "video/mp4", file_size: bytes.length, visibility: "public" }),
		);
		while (true) {
			const answer = await insist("initiate", {
				method: "POST",
				path: "/v1/videos",
				headers: { ...api, "content-type": "application/json" },
				body,
			});
			if (answer.status === 201) {
				const { video, upload: ticket } = JSON.parse(answer.body.toString()) as {
					video: { id: string };
					upload: { token: string };
				};
				process.send?.({ ticket: { number: assignment.number, video: video.id, token: ticket.token } });
				tell({
					kind: "initiated",
					video: video.id,
					domain: assignment.domain,
					size: bytes.length,
					sha256,
					seed: assignment.seed,
					intent: assignment.intent,
				});
				return { video: video.id, token: ticket.token };
			}
			tell({ kind: "noted", text: `initiate was refused: ${answer.status} ${codeOf(answer)}` });
			await sleep(1000);
		}
	};

	const { video, token } = assignment.known ?? (await initiate());
	const bearer = { ...tus, authorization: `Bearer ${token}` };
	const acknowledged = (offset: number, by: "write" | "head", askedAt: number) =>
		tell({ kind: "acknowledged", video, offset, by, askedAt });
	let sentAll = assignment.known !== null;

	/** Returns the upload's offset as the service tells it; null once there is nothing more to send. */
	const standing = async (): Promise<number | null> => {
		while (true) {
			const askedAt = Date.now();
			const head = await insist("head", { method: "HEAD", path: `/uploads/${video}`, headers: bearer });
			if (head.status === 200) {
				acknowledged(offsetOf(head), "head", askedAt);
				return offsetOf(head);
			}
			if (head.status === 409) {
				if (!sentAll) tell({ kind: "given-up", video, code: "upload_not_pending" });
				return null;
			}
			if (head.status !== 404) {
				tell({ kind: "given-up", video, code: String(head.status) });
				return null;
			}
			await create();
		}
	};
	const create = async (): Promise<void> => {
		const first = random.chance(0.3) ? bytes.subarray(0, random.integer(1, bytes.length)) : undefined;
		const metadata = `video_id ${Buffer.from(video).toString("base64")}`;
		const headers = { ...bearer, "upload-length": String(bytes.length), "upload-metadata": metadata };
		const askedAt = Date.now();
		if (first && first.length === bytes.length) sentAll = true;
		const answer = await askServer("create", any(), {
			method: "POST",
			path: "/uploads",
			headers: first ? { ...headers, "content-type": "application/offset+octet-stream" } : headers,
			body: first,
		}).catch(() => null);
		if (answer?.status === 201 && first) settle(offsetOf(answer), askedAt);
	};
	const settle = (offset: number, askedAt: number): void => {
		if (Number.isNaN(offset)) return;
		acknowledged(offset, "write", askedAt);
		if (offset === bytes.length) tell({ kind: "finished", video });
	};

	const stopAt =
		assignment.intent === "finish" || assignment.intent.endsWith("-whole")
			? bytes.length
			: random.integer(0, bytes.length - 1);
	for (let offset = await standing(); offset !== null && offset < stopAt; ) {
		const chunk = bytes.subarray(offset, Math.min(bytes.length, offset + random.integer(1, bytes.length)));
		if (offset + chunk.length === bytes.length) sentAll = true;
		const askedAt = Date.now();
		const answer = await askServer("patch", any(), {
			method: "PATCH",
			path: `/uploads/${video}`,
			headers: { ...bearer, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) },
			body: chunk,
			pieces: {
				bytes: Math.max(1, Math.ceil(chunk.length / random.integer(1, 12))),
				pauseMilliseconds: random.integer(0, 120),
			},
		}).catch(() => null);
		if (answer?.status === 204) {
			offset = offsetOf(answer);
			settle(offset, askedAt);
		} else {
			await sleep(random.integer(0, 200));
			offset = await standing();
		}
	}
	await end();

	async function end(): Promise<void> {
		const { intent } = assignment;
		if (intent === "terminate") {
			const answer = await insist("terminate", { method: "DELETE", path: `/uploads/${video}`, headers: bearer });
			if (answer.status === 204) tell({ kind: "ended", video, by: "terminate" });
		}
		if (intent === "cancel" || intent === "cancel-whole") {
			await sleep(intent === "cancel" ? 0 : random.integer(0, 4000));
			const answer = await insist("cancel", { method: "POST", path: `/v1/videos/${video}/cancel`, headers: api });
			if (answer.status === 200) tell({ kind: "ended", video, by: "cancel" });
		}
		if (intent === "delete-whole") {
			await sleep(random.integer(0, 6000));
			const answer = await insist("delete", { method: "DELETE", path: `/v1/videos/${video}`, headers: api });
			if (answer.status === 204) tell({ kind: "ended", video, by: "delete" });
		}
	}
}
