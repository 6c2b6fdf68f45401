import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, systemClock } from "@reelmill/engine";
import { createPostgresDatabase } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { afterEach, expect, it } from "vitest";
import { bytesOf, clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
});

/** Two servers on a PostgreSQL of their own, which can be crashed. */
async function onOwnPostgres() {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-crash-"));
	closing.push(() => rm(directory, { recursive: true, force: true }));
	let postgres = await startEmbeddedPostgres({ directory });
	closing.push(() => postgres.stop());
	const database = createPostgresDatabase({ url: postgres.url, statementTimeoutMilliseconds: 120_000 });
	closing.push(() => database.close());
	const opened: OpenedEngine = await openEngine({ database, clock: systemClock });
	closing.push(() => opened.close());
	await opened.engine.start();
	return {
		opened,
		other: createEngine(opened.options),
		database,
		async crash() {
			const { port } = new URL(postgres.url);
			// An immediate shutdown: PostgreSQL ends without a checkpoint, and empties unlogged tables when it recovers.
			process.kill(postgres.pid, "SIGQUIT");
			await postgres.stop();
			postgres = await startEmbeddedPostgres({ directory, port: Number(port) });
		},
	};
}

it("a crash of PostgreSQL loses no upload, and lets nobody write before every holder knows", async () => {
	const { opened, other, database, crash } = await onOwnPostgres();
	const { engine } = opened;
	const { principal } = await opened.tenant();
	const { video, upload } = await engine.videos.create(principal, clip);
	const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
	await engine.uploads.create(token, { videoId: video.id, length: 10 });
	const { signal } = new AbortController();

	const told = Promise.withResolvers<number>();
	const late = Promise.withResolvers<void>();
	const lease = await engine.uploads.lease(video.id, { onAsked: () => told.resolve(performance.now()), signal });
	await engine.uploads.append(token, video.id, 0, bytesOf("01234"));
	const rows = () => database.query({ text: "select from reelmill.upload_leases", values: [] });
	expect(await rows()).toHaveLength(1);

	await crash();
	await expect
		.poll(() =>
			rows().then(
				({ length }) => length,
				() => null,
			),
		)
		.toBe(0);
	const taken = other.uploads.lease(video.id, { onAsked: () => undefined, signal }).then(async (next) => {
		const at = performance.now();
		await late.promise;
		// The client asks for the offset, as after any request that was cut.
		const { offset } = await other.uploads.status(token, video.id);
		await other.uploads.append(token, video.id, offset, bytesOf("0123456789".slice(offset)));
		await next.release();
		return { at, offset };
	});
	const toldAt = await told.promise;
	// What the first server still gets is kept, but not acknowledged.
	await expect(engine.uploads.append(token, video.id, 5, bytesOf("5"))).rejects.toMatchObject({ status: 409 });
	late.resolve();
	const { at, offset } = await taken;
	expect(at).toBeGreaterThan(toldAt);
	expect(offset).toBeGreaterThanOrEqual(5);
	await lease.release();
	expect((await engine.videos.get(principal, video.id)).state).not.toBe("pending_upload");
});
