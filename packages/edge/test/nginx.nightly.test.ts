import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesWithout } from "./edge-cases.ts";
import { startNginxEdge } from "./support/nginx-edge.ts";
import { openOtherEdge, type Subject } from "./support/open-edge.ts";

describe("an edge of nginx and njs", () => {
	let subject: Subject;
	beforeAll(async () => {
		subject = await openOtherEdge(startNginxEdge);
	});
	afterAll(() => subject.close());

	const cases = casesWithout({
		"own-416": "nginx answers it by a page of its own, once it has the file",
		"second-try": "nginx has begun its answer by then",
	});
	it.each(cases)("$name", ({ run }) => run(subject));

	it("answers a range outside a kept file with 416", async () => {
		const id = subject.service.video();
		const asked = { key: await subject.service.mint() };
		await subject.ask(`/videos/${id}/web.mp4`, asked);
		const outside = await subject.ask(`/videos/${id}/web.mp4`, { ...asked, headers: { range: "bytes=10-" } });
		expect([outside.status, outside.headers["content-range"]]).toEqual([416, "bytes */10"]);
	});
});
