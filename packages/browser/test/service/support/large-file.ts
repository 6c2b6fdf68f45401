import { once } from "node:events";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFaultProxy } from "@reelmill/fault-proxy";
import type { Browser, Page } from "playwright-core";
import { openSite } from "./upload-world.ts";

const chunkSize = 16 * 1024 ** 2;

/**
 * Sends a sparse file of this size from Chromium over the fault proxy. Resolves to the seconds that it took, and the
 * bytes of memory that all processes of the browser took for it at most. The service takes no file of more than 200
 * MiB, so what receives this one counts its bytes and forgets them.
 */
export async function sendLargeFile(browser: Browser, bytes: number): Promise<{ seconds: number; memory: number }> {
	const receiver = await openReceiver();
	const proxy = await openFaultProxy({ target: receiver.url });
	const folder = await mkdtemp(join(tmpdir(), "reelmill-large-file-"));
	const site = await openSite(async () => ({
		video: { id: "large" },
		upload: {
			protocol: "tus",
			endpoint: `${proxy.url}/uploads`,
			token: "token",
			token_type: "Bearer",
			expires_at: "2099-01-01T00:00:00.000Z",
			metadata: { video_id: "large" },
		},
	}));
	let page: Page | undefined;
	try {
		const file = join(folder, "large.mp4");
		const handle = await open(file, "w");
		await handle.truncate(bytes);
		await handle.close();
		page = await browser.newPage();
		await page.goto(site.address);
		const before = await memoryOf(browser);
		const began = performance.now();
		await page.setInputFiles("input", file);
		await page.evaluate(`actions.start(${chunkSize})`);
		let memory = 0;
		for (let status = ""; status !== "done"; status = await statusOf(page)) {
			if (status === "failed") throw new Error(await page.evaluate<string>("actions.state().error.message"));
			memory = Math.max(memory, (await memoryOf(browser)) - before);
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		return { seconds: (performance.now() - began) / 1000, memory };
	} finally {
		await page?.close();
		await site.close();
		await proxy.close();
		await receiver.close();
		await rm(folder, { recursive: true });
	}
}

const statusOf = (page: Page) => page.evaluate<string>("actions.state()?.status ?? 'idle'");

/** The memory of their own that all processes of a browser have, in bytes. */
async function memoryOf(browser: Browser): Promise<number> {
	const session = await browser.newBrowserCDPSession();
	const { processInfo } = await session.send("SystemInfo.getProcessInfo");
	await session.detach();
	const each = processInfo.map(async ({ id }) => {
		const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
		return ["RssAnon", "RssShmem"].reduce(
			(sum, name) => sum + Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0),
			0,
		);
	});
	return (await Promise.all(each)).reduce((sum, kibibytes) => sum + kibibytes * 1024, 0);
}

/** Speaks as much of tus as an upload needs, and keeps none of its bytes. */
async function openReceiver() {
	let offset = 0;
	const server = createServer(async (request, response) => {
		response
			.setHeader("access-control-allow-origin", "*")
			.setHeader("access-control-allow-headers", "*, Authorization");
		response.setHeader("access-control-allow-methods", "*").setHeader("access-control-expose-headers", "*");
		response.setHeader("tus-resumable", "1.0.0");
		if (request.method === "OPTIONS") return response.writeHead(204).end();
		if (request.method === "POST") return response.writeHead(201, { location: "/uploads/large" }).end();
		for await (const chunk of request) offset += (chunk as Buffer).length;
		return response.writeHead(204, { "upload-offset": offset }).end();
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}
