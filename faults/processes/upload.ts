import { contentOf } from "./content.ts";
import { initiateUpload } from "./initiate-upload.ts";
import { sendUpload, tusHeaders } from "./send-upload.ts";
import { type Assignment, insist, type Ticket, type UploadAttempt, type UploadContext } from "./upload-attempt.ts";

/** Takes one upload to its intended end, whatever happens. Never rejects. */
export async function upload(assignment: Assignment, context: UploadContext): Promise<void> {
	const { random, serverCount } = context;
	const { bytes, sha256 } = contentOf(context.clips, assignment.seed, assignment.size);
	const anyServer = () => random.integer(0, serverCount - 1);
	const attempt: UploadAttempt = { ...context, assignment, bytes, sha256, anyServer };
	const ticket = assignment.known ?? (await initiateUpload(attempt));
	const isWhole = assignment.intent === "finish" || assignment.intent.endsWith("-whole");
	await sendUpload(isWhole ? bytes.length : random.integer(0, bytes.length - 1), ticket, attempt);
	await end(ticket, attempt);
}

/** Ends the upload or its video as intended. */
async function end({ video, token }: Ticket, attempt: UploadAttempt): Promise<void> {
	const { assignment, random, tell, sleep } = attempt;
	const { intent } = assignment;
	const api = { authorization: `Bearer ${assignment.apiKey}` };
	if (intent === "terminate") {
		const headers = tusHeaders({ video, token });
		const answer = await insist(attempt, "terminate", { method: "DELETE", path: `/uploads/${video}`, headers });
		if (answer.status === 204) tell({ kind: "ended", video, by: "terminate" });
	}
	if (intent === "cancel" || intent === "cancel-whole") {
		await sleep(intent === "cancel" ? 0 : random.integer(0, 4000));
		const path = `/v1/videos/${video}/cancel`;
		const answer = await insist(attempt, "cancel", { method: "POST", path, headers: api });
		if (answer.status === 200) tell({ kind: "ended", video, by: "cancel" });
	}
	if (intent === "delete-whole") {
		await sleep(random.integer(0, 6000));
		const answer = await insist(attempt, "delete", { method: "DELETE", path: `/v1/videos/${video}`, headers: api });
		if (answer.status === 204) tell({ kind: "ended", video, by: "delete" });
	}
}
