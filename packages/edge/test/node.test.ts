import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesWithout } from "./edge-cases.ts";
import { openNodeEdge, type Subject } from "./support/open-edge.ts";

describe.each(["ES256", "EdDSA"] as const)("an edge of Node, with keys of %s,", (algorithm) => {
	let subject: Subject;
	beforeAll(async () => {
		subject = await openNodeEdge({ algorithm });
	});
	afterAll(() => subject.close());

	it.each(casesWithout({}))("$name", ({ run }) => run(subject));

	it("asks again when the service ends a connection just as it is used again", async () => {
		const { service, ask } = subject;
		const [first, second] = [service.video(), service.video()];
		const key = await service.mint();
		expect((await ask(`/videos/${first}/web.mp4`, { key })).status).toBe(200);
		service.hangUpNext();
		expect((await ask(`/videos/${second}/web.mp4`, { key })).status).toBe(200);
	});
});

describe("an edge of Node that refuses what it can't prove", () => {
	it("answers 503 while no feed comes", async () => {
		const subject = await openNodeEdge({ whenStale: "refuse" });
		const { service, ask, pass, close } = subject;
		const id = service.video({ visibility: "public" });
		expect((await ask(`/videos/${id}/web.mp4`)).status).toBe(200);
		service.setLie("down");
		await pass(5);
		expect(await ask(`/videos/${id}/web.mp4`)).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
		await close();
	});
});
