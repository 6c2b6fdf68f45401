import { codeOf } from "./ask.ts";
import { insist, type Ticket, type UploadAttempt } from "./upload-attempt.ts";

/** Initiates a video until a server does so; reports its ticket to the driver, for an uploader after this one. */
export async function initiateUpload(attempt: UploadAttempt): Promise<Ticket> {
	const { assignment, bytes, sha256, tell, sleep } = attempt;
	const { number, domain, apiKey, seed, intent } = assignment;
	const body = Buffer.from(
		JSON.stringify({ content_type: "video/mp4", file_size: bytes.length, visibility: "public" }),
	);
	while (true) {
		const answer = await insist(attempt, "initiate", {
			method: "POST",
			path: "/v1/videos",
			headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
			body,
		});
		if (answer.status === 201) {
			const { video, upload } = JSON.parse(answer.body.toString()) as {
				video: { id: string };
				upload: { token: string };
			};
			process.send?.({ ticket: { number, video: video.id, token: upload.token } });
			tell({ kind: "initiated", video: video.id, domain, size: bytes.length, sha256, seed, intent });
			return { video: video.id, token: upload.token };
		}
		tell({ kind: "noted", text: `initiate was refused: ${answer.status} ${codeOf(answer)}` });
		await sleep(1000);
	}
}
