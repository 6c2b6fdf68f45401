import { createEngine } from "@reelmill/engine";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeEach(async () => {
	opened = await openEngine();
});
afterEach(() => opened.close());

it("gives no job to a worker that left while it waited, and asks the database nothing more", async () => {
	const { principal } = await opened.tenant();
	let statements = 0;
	const query: typeof opened.database.query = (statement) => {
		statements++;
		return opened.database.query(statement);
	};
	const other = createEngine({ ...opened.options, database: { ...opened.database, query } });
	const leaving = new AbortController();
	const waiting = other.jobs.claim(opened.worker, { worker: "w", wait_seconds: 30 }, leaving.signal);
	while (opened.clock.sleepers() === 0) await new Promise((resolve) => setImmediate(resolve));
	const { video } = await uploadVideo(opened, principal);
	const asked = statements;
	leaving.abort();
	expect(await waiting).toBeNull();
	expect(statements).toBe(asked);
	expect((await opened.engine.videos.get(principal, video.id)).state).toBe("queued");
});
