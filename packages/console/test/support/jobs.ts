import type { CallInput, CallResult, Client } from "@reelmill/client";
import { createClient } from "@reelmill/client";

/** Initiates a video of ten bytes and uploads them. Resolves to its id. */
export async function uploadVideo(baseUrl: string, tenant: Client, more: object = {}): Promise<string> {
	const { video, upload } = await tenant.call("createVideo", {
		body: { content_type: "video/mp4", file_size: 10, ...more },
	});
	const metadata = `video_id ${Buffer.from(video.id).toString("base64")}`;
	const answer = await fetch(`${baseUrl}/uploads`, {
		method: "POST",
		headers: {
			authorization: `Bearer ${upload.token}`,
			"tus-resumable": "1.0.0",
			"upload-length": "10",
			"upload-metadata": metadata,
			"content-type": "application/offset+octet-stream",
		},
		body: "0123456789",
	});
	if (answer.status !== 201) throw new Error(`the upload was answered ${answer.status}: ${await answer.text()}`);
	return video.id;
}

export type Worker = {
	claim(): Promise<NonNullable<CallResult<"claimJob">> | null>;
	/** Says that it is ill. */
	isIll(): Promise<unknown>;
	heartbeat(
		job: { id: string; lock: string },
		progress: number,
		encodes?: CallInput<"heartbeatJob">["body"]["encodes"],
	): Promise<unknown>;
	/** Fails the job for good (default: for a source at fault). */
	fail(
		job: { id: string; lock: string },
		message: string,
		reason?: "invalid_media" | "storage_error",
	): Promise<unknown>;
};

/** A worker of its own service account, which says of itself and of jobs what the test lets it say. */
export async function createWorker(baseUrl: string, admin: Client, account: string, worker: string): Promise<Worker> {
	const { secret } = await admin.call("createServiceAccount", { body: { name: account } });
	const { token } = await createClient({ baseUrl }).call("issueServiceToken", {
		body: { name: account, secret },
	});
	const service = createClient({ baseUrl, credential: token });
	return {
		claim: async () => (await service.call("claimJob", { body: { worker, wait_seconds: 0 } })) ?? null,
		isIll: () => service.call("claimJob", { body: { worker, fault: "disk_full" } }),
		heartbeat: ({ id, lock }, progress, encodes) =>
			service.call("heartbeatJob", {
				params: { id },
				body: {
					lock,
					progress,
					probe: { duration_seconds: 60, width: 1280, height: 720 },
					...(encodes && { encodes }),
				},
			}),
		fail: ({ id, lock }, message, reason = "invalid_media") =>
			service.call("failJob", { params: { id }, body: { lock, reason, retryable: false, message } }),
	};
}
