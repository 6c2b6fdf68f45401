import type { Rendition } from "@reelmill/contracts";
import type { Engine, TenantPrincipal } from "@reelmill/engine";

/** Makes a video of the file `0` that is available with these files; returns its id. */
export async function publish(
	engine: Engine,
	principal: TenantPrincipal,
	{
		visibility,
		files,
		renditions = [],
		report,
		seconds = 38,
	}: {
		readonly visibility: "public" | "private";
		readonly files: Readonly<Record<string, Uint8Array>>;
		readonly renditions?: readonly Rendition[];
		readonly report?: Readonly<Record<string, unknown>>;
		readonly seconds?: number;
	},
): Promise<string> {
	const { video, upload } = await engine.videos.create(principal, {
		content_type: "video/mp4",
		file_size: 1,
		visibility,
	});
	const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
	await engine.uploads.create(token, { videoId: video.id, length: 1 });
	await engine.uploads.append(token, video.id, 0, bytes(new Uint8Array(1)));
	const { lock } = await engine.jobs.claimById({ accountId: video.id, name: "bench" }, video.id, { worker: "bench" });
	await engine.jobs.replaceOutputs(
		video.id,
		lock,
		(async function* () {
			for (const [path, content] of Object.entries(files)) yield { path, bytes: bytes(content) };
		})(),
	);
	await engine.jobs.complete(video.id, {
		lock,
		outputs: { files: Object.keys(files), renditions: [...renditions] },
		media: { duration_seconds: seconds, width: 1280, height: 720, transcript_status: "disabled", language: null },
		...(report !== undefined && { report }),
	});
	return video.id;
}

async function* bytes(content: Uint8Array): AsyncGenerator<Uint8Array> {
	yield content;
}
