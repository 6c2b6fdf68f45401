import type { Engine, TenantPrincipal } from "@reelmill/engine";
import { bytesOf } from "../support/open-engine.ts";
import type { Planned } from "./planned.ts";
import { duration, limits } from "./state.ts";
import type { World } from "./world.ts";

/** What the caller is answered, as a word: an error's code, or what matters of a success. */
export async function run(world: World, planned: Planned, server: number): Promise<string> {
	const engine = world.servers[server] as Engine;
	try {
		return await act(world, engine, planned);
	} catch (error) {
		const code = (error as { code?: string }).code;
		if (code === undefined || code === "internal_error" || /^[0-9A-Z]{5}$/.test(code)) throw error;
		return code;
	}
}

async function act(
	{ opened, tenants, tokens }: World,
	engine: Engine,
	{ action, id, lock, offset, bytes }: Planned,
): Promise<string> {
	const { jobs, uploads, videos } = engine;
	const token = () => uploads.authenticate(`Bearer ${tokens.get(id)}`);
	/** As the upload plane does for each request. */
	const leased = async (work: () => Promise<string>): Promise<string> => {
		const lease = await uploads.lease(id, { onAsked: () => undefined, signal: AbortSignal.timeout(100_000) });
		try {
			return await work();
		} finally {
			await lease.release();
		}
	};
	const owner = async () => {
		const [row] = await opened.database.query<{ domain_id: string }>({
			text: "select domain_id from reelmill.videos where id = $1",
			values: [id],
		});
		return tenants.find((tenant) => tenant.id === row?.domain_id)?.principal as TenantPrincipal;
	};
	const told = (job: { id: string; attempt: number; lock: string } | null) =>
		job === null ? "nothing" : `job ${job.id} ${job.attempt} ${job.lock}`;
	switch (action.type) {
		case "initiate": {
			const { uploader, size, tenant } = action;
			const input = {
				content_type: "video/mp4",
				file_size: size,
				...(uploader !== null && { uploader_ref: uploader }),
			};
			const { video, upload } = await videos.create((tenants[tenant] as World["tenants"][number]).principal, input);
			tokens.set(video.id, upload.token);
			return `video ${video.id}`;
		}
		case "create": {
			const [row] = await opened.database.query<{ size: number }>({
				text: "select file_size::integer as size from reelmill.videos where id = $1",
				values: [id],
			});
			return leased(
				async () => `offset ${(await uploads.create(await token(), { videoId: id, length: row?.size ?? 0 })).offset}`,
			);
		}
		case "status":
			return leased(async () => `offset ${(await uploads.status(await token(), id)).offset}`);
		case "append":
			return leased(
				async () => `offset ${await uploads.append(await token(), id, offset, bytesOf("x".repeat(bytes)))}`,
			);
		case "loseCompletion": {
			const [row] = await opened.database.query<{ size: number }>({
				text: "select file_size::integer as size from reelmill.videos where id = $1 and state = 'pending_upload' and expires_at > $2",
				values: [id, new Date(opened.clock.now())],
			});
			const size = await opened.uploads.size(id);
			if (row === undefined || size === null) return "nothing";
			await opened.uploads.append(id, size, bytesOf("x".repeat(row.size - size)), { limit: row.size });
			return "written";
		}
		case "loseWorkers": {
			// As if so many attempts had ended that way: one by one they would take most of a run.
			const lost = await opened.database.query({
				text: `update reelmill.jobs set attempt = attempt + $2, losses = losses + $2, fruitless = fruitless + $2
					where id = $1 and lock is not null returning id`,
				values: [id, limits.lostBefore],
			});
			return lost.length === 0 ? "nothing" : "lost";
		}
		case "terminate":
			return leased(async () => {
				await uploads.terminate(await token(), id);
				return "ok";
			});
		case "cancel":
		case "delete":
			await videos[action.type](await owner(), id);
			return "ok";
		case "show":
			await videos.setVisibility(await owner(), id, action.visibility);
			return "ok";
		case "claim":
			return told(await jobs.claim(opened.worker, { worker: "w", wait_seconds: 0 }));
		case "claimThis":
			return told(await jobs.claimById(opened.worker, id, { worker: "w" }));
		case "heartbeat":
			await jobs.heartbeat(id, { lock, progress: 1 });
			return "ok";
		case "deliver":
			await jobs.replaceOutputs(id, lock, archive());
			return "ok";
		case "complete":
			await jobs.complete(id, { lock, outputs: { files: [...files], renditions: [] }, media });
			return "ok";
		case "fail":
			await jobs.fail(id, { lock, reason: "invalid_media", retryable: action.retryable, stopped: action.stopped });
			return "ok";
		case "sweep":
			await engine.sweep();
			return "ok";
	}
}

/** One byte each. */
const files = ["frames/00001.jpg", "media/h264_720.mp4", "og.jpg", "web.mp4"];
const media = {
	duration_seconds: duration,
	width: 1280,
	height: 720,
	transcript_status: "disabled" as const,
	language: null,
};
async function* archive() {
	for (const path of files) yield { path, bytes: bytesOf("x") };
}
