import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createWorker } from "../../src/index.ts";
import { recordingLogger } from "../support/fixtures.ts";
import { openInternalPlane } from "../support/internal-plane-server.ts";

it("shows its present token when it asks for another, so that this is a renewal", async () => {
	const workDirectory = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
	const server = await openInternalPlane({
		source: Buffer.alloc(0),
		offers: 0,
		refuse: (route, nth) => (route.endsWith("/claim") && nth === 1 ? "unauthorized" : undefined),
	});
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	const worker = createWorker({
		apiUrl: server.url,
		name: "w",
		secret: "s",
		workDirectory,
		tools,
		logger: recordingLogger(),
		graceSeconds: 0,
	});
	try {
		worker.start();
		await expect.poll(() => server.of("/token").length).toBe(2);
		const [first, second] = server.of("/token");
		expect([first?.headers.authorization, second?.headers.authorization]).toEqual([undefined, "Bearer service-token"]);
		expect(second?.body).toEqual({ name: "w", secret: "s" });
	} finally {
		const stopped = worker.stop();
		await server.close();
		await stopped;
		await rm(workDirectory, { recursive: true });
	}
});
