import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createEngine, type Engine, type TenantPrincipal } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { createPostgresDatabase } from "@reelmill/postgres";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { finishWith } from "../../../../packages/engine/test/support/whole-outputs.ts";

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
export async function withEngine<T>(
	directory: string,
	databaseUrl: string,
	work: (direct: DirectEngine) => Promise<T>,
): Promise<T> {
	const database = createPostgresDatabase({ url: databaseUrl });
	try {
		const text = async (name: string) => (await readFile(join(directory, name), "utf8")).trim();
		const engine = createEngine({
			database,
			uploads: createLocalUploadStore({ directory: join(directory, "uploads") }),
			outputs: createLocalObjectStorage({ directory: join(directory, "outputs") }),
			webhookTransport: {
				send: async () => ({ status: 200, error: null }),
				refusal: () => null,
				close: async () => undefined,
			},
			logger: createRecordingLogger(),
			masterKey: Buffer.from(await text("master.key"), "base64"),
			baseUrl: "http://127.0.0.1",
		});
		const principal = await engine.keys.authenticate(`Bearer ${await text("tenant.key")}`);
		return await work({
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
	} finally {
		await database.close();
	}
}
