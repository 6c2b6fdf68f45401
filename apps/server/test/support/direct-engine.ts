import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine, TenantPrincipal } from "@reelmill/engine";
import { finishWith } from "../../../../packages/engine/test/support/whole-outputs.ts";
import { withEngine } from "./running-server.ts";

const source = "0123456789";

/** What clients and workers do to a server's data, without their requests. */
export type DirectEngine = {
	readonly engine: Engine;
	/** The first tenant. */
	readonly principal: TenantPrincipal;
	/** A video whose upload is in. */
	queued(): Promise<string>;
	/** Makes it available. */
	finish(id: string): Promise<string>;
};

/** An engine beside the running server, over its database and in its data directory. */
export const withDirectEngine = <T>(
	directory: string,
	databaseUrl: string,
	work: (direct: DirectEngine) => Promise<T>,
): Promise<T> =>
	withEngine(directory, databaseUrl, async (engine) => {
		const key = (await readFile(join(directory, "tenant.key"), "utf8")).trim();
		const principal = await engine.keys.authenticate(`Bearer ${key}`);
		return work({
			engine,
			principal,
			async queued() {
				const { video, upload } = await engine.videos.create(principal, {
					content_type: "video/mp4",
					file_size: source.length,
				});
				const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
				await engine.uploads.create(token, { videoId: video.id, length: source.length });
				const bytes = async function* () {
					yield Buffer.from(source);
				};
				await engine.uploads.append(token, video.id, 0, bytes());
				return video.id;
			},
			async finish(id) {
				await finishWith(engine, await engine.jobs.claimById({ accountId: id, name: "test" }, id, { worker: "test" }));
				return id;
			},
		});
	});
