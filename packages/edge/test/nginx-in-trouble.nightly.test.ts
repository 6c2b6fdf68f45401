import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wrongClock } from "../../../scripts/setup/programs.mjs";
import { casesWithout } from "./edge-cases.ts";
import { type FeedProxy, startFeedProxy } from "./support/feed-proxy.ts";
import { startNginxEdge } from "./support/nginx-edge.ts";
import { openOtherEdge, type Subject } from "./support/open-edge.ts";

describe.each(["+60s", "-60s"])("an edge of nginx whose clock is wrong by %s", (wrong) => {
	let subject: Subject;
	beforeAll(async () => {
		const environment = { LD_PRELOAD: wrongClock.find() as string, FAKETIME: wrong };
		subject = await openOtherEdge((service) => startNginxEdge(service, { environment }));
	});
	afterAll(() => subject.close());

	it("is wrong", async () => {
		const { headers } = await subject.ask("/");
		const ahead = (Date.parse(headers.date as string) - Date.now()) / 1000;
		expect(Math.abs(ahead - Number.parseInt(wrong, 10))).toBeLessThan(10);
	});

	const cases = casesWithout({}).filter(({ name }) =>
		/asks the service once$|within 5 s|by the service's time/.test(name),
	);
	it.each(cases)("$name", ({ run }) => run(subject));
});

describe("an edge of nginx whose feed is in trouble", () => {
	let subject: Subject;
	let proxy: FeedProxy;
	beforeAll(async () => {
		subject = await openOtherEdge(async (service) => {
			proxy = await startFeedProxy(service.url);
			const edge = await startNginxEdge({ ...service, url: proxy.url });
			return { url: edge.url, stop: () => Promise.all([edge.stop(), proxy.close()]) };
		});
	});
	afterAll(() => subject.close());

	it("asks for it less than once a second, however many viewers wait", async () => {
		const { service, ask } = subject;
		const web = `/videos/${service.video()}/web.mp4`;
		const key = await service.mint();
		await ask(web, { key });
		proxy.delay(300);
		proxy.takeAsked();
		const startedAt = performance.now();
		while (performance.now() < startedAt + 4000)
			await Promise.all(Array.from({ length: 20 }, async () => expect((await ask(web, { key })).status).toBe(200)));
		expect(proxy.takeAsked()).toBeLessThanOrEqual((performance.now() - startedAt) / 1000 + 1);
		proxy.delay(0);
	});

	it("asks the service about everything when it gets a genuine feed that is older than one before", async () => {
		const { service, ask, pass } = subject;
		const web = `/videos/${service.video()}/web.mp4`;
		const key = await service.mint();
		await ask(web, { key });
		const replay = proxy.remember();
		await pass(3);
		service.revokeAll();
		replay();
		await pass(5);
		expect((await ask(web, { key })).status).toBe(401);
		const later = await service.mint();
		service.taken();
		for (let round = 0; round < 2; round++) expect((await ask(web, { key: later })).text).toBe("0123456789");
		expect(service.taken()).toEqual([`GET ${web}`, `GET ${web}`]);
	});
});
