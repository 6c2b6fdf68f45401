import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreatedVideo, Video } from "@reelmill/contracts";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { build } from "esbuild";
import { initiate, openService, type Service } from "../../../../http/test/support/open-service.ts";

/** A real service behind a fault proxy, and a site whose page uploads to it. */
export type UploadWorld = {
	readonly service: Service;
	readonly proxy: FaultProxy;
	/** Where the page is. */
	readonly site: string;
	/** The ids of the videos that the site's back end initiated, in order. */
	readonly initiated: string[];
	/** Writes a file that a page can choose, and returns its path. */
	file(name: string, bytes: Uint8Array): Promise<string>;
	video(id: string): Promise<Video>;
	/** Acts on a video as the tenant's back end does. */
	asTenant(method: string, path: string): Promise<void>;
	/** The bytes that the service holds of an upload. */
	bytes(id: string): Promise<Buffer>;
	close(): Promise<void>;
};

export async function openUploadWorld(): Promise<UploadWorld> {
	const opened: (() => Promise<unknown>)[] = [];
	let proxy: FaultProxy | undefined;
	const service = await openService({}, async ({ url }) => {
		proxy = await openFaultProxy({ target: url });
		return { baseUrl: proxy.url };
	});
	opened.push(() => service.close());
	if (!proxy) throw new Error("no proxy was opened");
	const { auth } = await service.tenant({});
	const folder = await mkdtemp(join(tmpdir(), "reelmill-uploads-"));
	opened.push(() => rm(folder, { recursive: true, force: true }), proxy.close);
	const initiated: string[] = [];
	const site = await openSite(async (size) => {
		const created = await initiate(service, auth, { file_size: size });
		initiated.push(created.video.id);
		return created;
	});
	opened.push(site.close);
	return {
		service,
		proxy,
		site: site.address,
		initiated,
		async file(name, bytes) {
			await writeFile(join(folder, name), bytes);
			return join(folder, name);
		},
		video: async (id) => (await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as Video,
		async asTenant(method, path) {
			const { status, text } = await service.send({ method, path, headers: auth });
			if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
		},
		async bytes(id) {
			const read = await service.engineOptions.uploads.read(id);
			const chunks: Uint8Array[] = [];
			for await (const chunk of read?.bytes ?? []) chunks.push(Uint8Array.from(chunk));
			return Buffer.concat(chunks);
		},
		async close() {
			for (const close of opened.reverse()) await close();
		},
	};
}

/**
 * Serves the page and its service worker, both bundled, and a back end that initiates, and continues what the page's
 * browser keeps.
 */
export async function openSite(initiated: (size: number) => Promise<Pick<CreatedVideo, "upload"> | CreatedVideo>) {
	const { outputFiles } = await build({
		entryPoints: [new URL("./page.ts", import.meta.url), new URL("./service-worker.ts", import.meta.url)].map((entry) =>
			fileURLToPath(entry),
		),
		outdir: "/",
		bundle: true,
		format: "esm",
		platform: "browser",
		target: "es2022",
		write: false,
	});
	const html =
		'<!doctype html><title>page</title><input type="file" multiple><script type="module" src="/page.js"></script>';
	const server = createServer(async (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? "/", "http://site");
		const script = outputFiles.find(({ path }) => path.endsWith(pathname));
		if (pathname.endsWith(".js")) return response.setHeader("content-type", "text/javascript").end(script?.text);
		if (pathname === "/initiate") {
			const [kept = ""] = searchParams.get("kept")?.split(",") ?? [];
			const created = kept === "" ? await initiated(Number(searchParams.get("size"))) : { video: { id: kept } };
			return response.setHeader("content-type", "application/json").end(JSON.stringify(created));
		}
		return response.setHeader("content-type", "text/html").end(html);
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}
