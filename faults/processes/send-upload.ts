import type { Answer } from "./ask.ts";
import { insist, type Ticket, type UploadAttempt } from "./upload-attempt.ts";

const tus = { "tus-resumable": "1.0.0" };
const offsetOf = ({ headers }: Answer): number => Number(headers["upload-offset"] ?? Number.NaN);

export const tusHeaders = ({ token }: Ticket) => ({ ...tus, authorization: `Bearer ${token}` });

/** Sends an upload's bytes up to `stopAt`, in pieces and to any server, whatever happens. */
export async function sendUpload(stopAt: number, { video, token }: Ticket, attempt: UploadAttempt): Promise<void> {
	const { assignment, bytes, random, askServer, anyServer, tell, sleep } = attempt;
	const bearer = tusHeaders({ video, token });
	let sentAll = assignment.known !== null;
	const acknowledged = (offset: number, by: "write" | "head", askedAt: number) =>
		tell({ kind: "acknowledged", video, offset, by, askedAt });

	/** Returns the upload's offset as the service tells it; null once there is nothing more to send. */
	const standing = async (): Promise<number | null> => {
		while (true) {
			const askedAt = Date.now();
			const head = await insist(attempt, "head", { method: "HEAD", path: `/uploads/${video}`, headers: bearer });
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
		const answer = await askServer("create", anyServer(), {
			method: "POST",
			path: "/uploads",
			headers: first ? { ...headers, "content-type": "application/offset+octet-stream" } : headers,
			body: first,
		}).catch(() => null);
		if (answer?.status === 201 && first) written(offsetOf(answer), askedAt);
	};
	const written = (offset: number, askedAt: number): void => {
		if (Number.isNaN(offset)) return;
		acknowledged(offset, "write", askedAt);
		if (offset === bytes.length) tell({ kind: "finished", video });
	};

	for (let offset = await standing(); offset !== null && offset < stopAt; ) {
		const chunk = bytes.subarray(offset, Math.min(bytes.length, offset + random.integer(1, bytes.length)));
		if (offset + chunk.length === bytes.length) sentAll = true;
		const askedAt = Date.now();
		const answer = await askServer("patch", anyServer(), {
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
			written(offset, askedAt);
		} else {
			await sleep(random.integer(0, 200));
			offset = await standing();
		}
	}
}
