import { once } from "node:events";
import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesWithout } from "./edge-cases.ts";
import { behindAnother, startNginxEdge, startNginxShield } from "./support/nginx-edge.ts";
import { openOtherEdge, type Subject } from "./support/open-edge.ts";

describe("an edge of nginx and njs", () => {
	let subject: Subject;
	beforeAll(async () => {
		subject = await openOtherEdge((service) => startNginxEdge(service));
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

describe("an edge of nginx and njs behind another one", () => {
	let subject: Subject;
	let url: string;
	beforeAll(async () => {
		subject = await openOtherEdge(async (service) => {
			const shield = await startNginxShield(service);
			const edge = await startNginxEdge({ ...service, url: shield.url }, { changes: behindAnother });
			url = edge.url;
			return { url, stop: () => Promise.all([edge.stop(), shield.stop()]) };
		});
	});
	afterAll(() => subject.close());

	const cases = casesWithout({}).filter(({ name }) => /asks the service once$|within 5 s|refuses everybody/.test(name));
	it.each(cases)("$name", ({ run }) => run(subject));

	it("tells the service the address of the viewer", async () => {
		const { service } = subject;
		const path = `/videos/${service.video()}/web.mp4`;
		const headers = { authorization: `Bearer ${await service.mint()}`, "x-forwarded-for": "203.0.113.9" };
		service.log.length = 0;
		const [answer] = await once(get(url + path, { localAddress: "127.0.0.5", headers }), "response");
		expect(answer.resume().statusCode).toBe(200);
		const [asked] = service.log.filter((one) => one.path === path);
		expect(asked?.headers["x-forwarded-for"]).toBe("127.0.0.5");
	});
});

describe("an edge of nginx and njs whose files are soon old", () => {
	const seconds = { "200 10s": "200 1s", "206 1h": "206 2s" };
	let subject: Subject;
	beforeAll(async () => {
		subject = await openOtherEdge((service) => startNginxEdge(service, { changes: seconds }));
	});
	afterAll(() => subject.close());
	/** How the service was asked for files since the last call. */
	const asked = () =>
		subject.service.log
			.splice(0)
			.filter(({ path }) => path.startsWith("/videos/"))
			.map(({ path, headers }) => [path.split("/").at(-1), headers.range, headers["if-none-match"] !== undefined]);

	it("asks for no byte again that is still the same: of playlists soon, of media later", async () => {
		const { service, ask } = subject;
		const large = Buffer.from(Array.from({ length: 1_500_000 }, (_, index) => index % 251));
		const id = service.video({ files: { "media/a.mp4": large } });
		const key = await service.mint();
		const [playlist, media] = [`/videos/${id}/hls/master.m3u8`, `/videos/${id}/media/a.mp4`];
		const look = async () => {
			asked();
			expect((await ask(playlist, { key })).text).toBe("#EXTM3U\n");
			const { bytes, status, headers } = await ask(media, { key, headers: { range: "bytes=1048000-1100000" } });
			expect([status, bytes.equals(large.subarray(1_048_000, 1_100_001))]).toEqual([206, true]);
			expect(headers["content-range"]).toBe("bytes 1048000-1100000/1500000");
			return asked();
		};
		const slices = (isKnown: boolean) => [
			["a.mp4", "bytes=0-1048575", isKnown],
			["a.mp4", "bytes=1048576-2097151", isKnown],
		];
		expect(await look()).toEqual([["master.m3u8", undefined, false], ...slices(false)]);
		expect(await look()).toEqual([]);
		await subject.pass(2);
		expect((await look())[0]).toEqual(["master.m3u8", undefined, true]);
		await subject.pass(3);
		expect(await look()).toEqual([["master.m3u8", undefined, true], ...slices(true)]);
		service.replace(id, "hls/master.m3u8", Buffer.from("#EXTM3U\n#1"));
		await subject.pass(2);
		expect((await ask(playlist, { key })).text).toBe("#EXTM3U\n#1");
	});
});
