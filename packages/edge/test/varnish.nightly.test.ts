import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, startProgram } from "../../../scripts/programs/program.ts";
import { casesWithout } from "./edge-cases.ts";
import type { MadeService } from "./support/made-service.ts";
import { asking, openOtherEdge, type Subject } from "./support/open-edge.ts";

const deploy = new URL("../../../deploy/edge/varnish/", import.meta.url);

async function changed(name: string, changes: Record<string, string>): Promise<string> {
	const text = await readFile(new URL(name, deploy), "utf8");
	for (const from of Object.keys(changes)) if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
	return Object.entries(changes).reduce((changing, [from, to]) => changing.replaceAll(from, to), text);
}

describe("an edge of Varnish", () => {
	let subject: Subject;
	let proxied: number;
	beforeAll(async () => {
		subject = await openOtherEdge(async ({ url, domains }: MadeService) => {
			const directory = await mkdtemp(join(tmpdir(), "reelmill-edge-"));
			const [port, authoriserPort] = [await freePort(), await freePort()];
			proxied = await freePort();
			await mkdir(join(directory, "node_modules/@reelmill"), { recursive: true });
			await symlink(fileURLToPath(new URL("..", import.meta.url)), join(directory, "node_modules/@reelmill/edge"));
			const [vcl, script] = [join(directory, "reelmill.vcl"), join(directory, "reelmill-authoriser.mjs")];
			await writeFile(vcl, await changed("reelmill.vcl", { '"8790"': `"${authoriserPort}"` }));
			await writeFile(
				script,
				await changed("reelmill-authoriser.mjs", {
					"https://origin.example.com": url,
					"6f1c2f0e-2f0b-4e0a-9d51-0a5a4f1f6a11": domains[0] as string,
					8790: String(authoriserPort),
				}),
			);
			const authoriser = startProgram(process.execPath, [script]);
			const varnish = startProgram(
				"varnishd",
				[
					"-F",
					"-n",
					join(directory, "varnish"),
					"-a",
					`127.0.0.1:${port}`,
					"-a",
					`127.0.0.1:${proxied},PROXY`,
					"-f",
					vcl,
					"-s",
					"malloc,256m",
					"-j",
					"none",
				],
				{ env: { PATH: `${process.env.PATH}:/usr/sbin` } },
			);
			const edge = `http://127.0.0.1:${port}`;
			const isReady = () =>
				asking(edge)("/").then(
					({ status }) => status === 404,
					() => false,
				);
			await varnish.until(isReady);
			return {
				url: edge,
				async stop() {
					await Promise.all([varnish.stop(), authoriser.stop()]);
					await rm(directory, { recursive: true, force: true });
				},
			};
		});
	});
	afterAll(() => subject.close());

	const cases = casesWithout({
		blocks: "Varnish fetches whole files",
		"shared-work": "Varnish fetches whole files",
	});
	it.each(cases)("$name", ({ run }) => run(subject));

	it("asks the service once for a file that many viewers want at the same moment", async () => {
		const { service, ask } = subject;
		const large = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 253));
		const path = `/videos/${service.video({ files: { "media/a.mp4": large } })}/media/a.mp4`;
		const keys = await Promise.all(Array.from({ length: 5 }, () => service.mint()));
		service.taken();
		const answers = await Promise.all(keys.map((key) => ask(path, { key })));
		expect(answers.every(({ bytes }) => bytes.equals(large))).toBe(true);
		expect(service.taken()).toEqual([`GET ${path}`]);
	});

	it("reads odd ranges as the service does", async () => {
		const { service, ask } = subject;
		const path = `/videos/${service.video()}/web.mp4`;
		const key = await service.mint();
		const huge = "9".repeat(25);
		for (const [range, status, text] of [
			["bytes=5-2", 200, "0123456789"],
			["bytes=0-1-2", 200, "0123456789"],
			["bytes=-", 200, "0123456789"],
			["bytes= 0-1 ", 206, "01"],
			["BYTES=0-1", 206, "01"],
			["bytes=-99", 206, "0123456789"],
			[`bytes=-${huge}`, 206, "0123456789"],
			[`bytes=8-${huge}`, 206, "89"],
			["bytes=-0", 416, expect.any(String)],
			[`bytes=${huge}-`, 416, expect.any(String)],
		] as const)
			for (let round = 0; round < 2; round++) {
				const answer = await ask(path, { key, headers: { range } });
				expect([range, answer.status, answer.text]).toEqual([range, status, text]);
			}
	});

	it("asks after 10 s whether a playlist is still the same, and which pages may read it", async () => {
		const { service, ask, pass } = subject;
		const [before, after] = ["https://before.example", "https://after.example"];
		const path = `/videos/${service.video()}/hls/master.m3u8`;
		const asked = { key: await service.mint(), headers: { origin: before } };
		service.allowOrigins([before]);
		for (let round = 0; round < 3; round++)
			expect((await ask(path, asked)).headers["access-control-allow-origin"]).toBe(before);
		service.taken();
		service.allowOrigins([after]);
		await pass(11);
		service.log.length = 0;
		const answer = await ask(path, asked);
		expect([answer.text, answer.headers["access-control-allow-origin"]]).toEqual(["#EXTM3U\n", undefined]);
		const seen = service.log.filter((one) => one.path === path).map(({ headers }) => headers["if-none-match"]);
		expect(seen).toEqual([answer.headers.etag]);
		service.allowOrigins([]);
	});

	it("tells the service the address that the proxy in front names, and no other", async () => {
		const { service } = subject;
		const path = `/videos/${service.video({ visibility: "public" })}/web.mp4`;
		service.log.length = 0;
		const socket = connect(proxied, "127.0.0.1");
		const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n\r\n`;
		socket.end(`PROXY TCP4 203.0.113.7 127.0.0.1 4711 80\r\n${head}`).resume();
		await once(socket, "close");
		const addresses = service.log.filter((one) => one.path === path).map(({ headers }) => headers["x-forwarded-for"]);
		expect(new Set(addresses)).toEqual(new Set(["203.0.113.7"]));
	});
});
