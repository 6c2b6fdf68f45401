import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { makeClip } from "../../../browser/test/support/clip.ts";
import { serveClip } from "../../../browser/test/support/served-clip.ts";
import { systemClock } from "../../../engine/src/index.ts";
import { openService, type Service } from "../../../http/test/support/open-service.ts";
import type * as OnHono from "../../src/frameworks/hono.ts";
import type * as Sdk from "../../src/index.ts";
import { openProject, type Project } from "./packed.ts";

/** A file that a page can choose. */
export type Clip = { readonly path: string; readonly bytes: Uint8Array };

/** A real service behind a fault proxy, and a tenant's site on the packed packages. */
export type World = {
	readonly project: Project;
	readonly sdk: typeof Sdk;
	/** The tenant's back end, which calls the service directly. Each uploader may have ten pending uploads. */
	readonly reelmill: Sdk.Reelmill;
	/** Another domain, as it is created: one pending upload of each uploader. Its pages are at `/strict/`. */
	readonly strict: Sdk.Reelmill;
	/** A domain whose videos are ready at once. Its pages are at `/watch/`. */
	readonly watch: Sdk.Reelmill;
	readonly service: Service;
	readonly proxy: FaultProxy;
	/** Viewers to whom the back end gives no key. */
	readonly barred: Set<string>;
	/** Where the site is. At `/lost/` something else answers for its back end. */
	readonly site: string;
	/** Lets time pass for the service. */
	pass(milliseconds: number): void;
	/** Writes a file of random bytes that a page can choose. */
	clip(bytes?: number, name?: string): Promise<Clip>;
	/** The bytes that the service holds of an upload. */
	bytesOf(id: unknown): Promise<Buffer>;
	/** Makes a private video of eight seconds, with captions, and resolves to its id. */
	ready(): Promise<string>;
	close(): Promise<void>;
};

export async function openWorld(): Promise<World> {
	const folder = await mkdtemp(join(tmpdir(), "reelmill-clips-"));
	let later = 0;
	let proxy: FaultProxy | undefined;
	const [project, service] = await Promise.all([
		openProject(),
		openService({}, async ({ url }) => {
			proxy = await openFaultProxy({ target: url });
			return { baseUrl: proxy.url, clock: { ...systemClock, now: () => Date.now() + later } };
		}),
		makeClip(folder, { captioned: true }),
	]);
	if (!proxy) throw new Error("no proxy was opened");
	const through = proxy;
	const sdk = await project.load<typeof Sdk>("@reelmill/node");
	const [roomy, narrow, watched] = await Promise.all([
		service.tenant({ max_concurrent_pending_per_uploader: 10 }),
		service.tenant(),
		service.tenant(),
	]);
	const backEndOf = ({ apiKey }: typeof roomy) => sdk.createReelmill({ baseUrl: service.url, apiKey });
	const [reelmill, strict, watch] = [backEndOf(roomy), backEndOf(narrow), backEndOf(watched)];
	const barred = new Set<string>();
	const site = await openSite(project, barred, { "/": reelmill, "/strict/": strict, "/watch/": watch });
	let count = 0;
	return {
		...{ project, sdk, reelmill, strict, watch, service, proxy: through, barred, site: site.url },
		pass(milliseconds) {
			later += milliseconds;
		},
		async clip(length = 256 * 1024, name = "clip.mp4") {
			const bytes = randomBytes(length);
			const path = join(await mkdtemp(join(folder, `${count++}-`)), name);
			await writeFile(path, bytes);
			return { path, bytes };
		},
		async bytesOf(id) {
			const read = await service.engineOptions.uploads.read(String(id));
			const chunks: Uint8Array[] = [];
			for await (const chunk of read?.bytes ?? []) chunks.push(Uint8Array.from(chunk));
			return Buffer.concat(chunks);
		},
		ready: () => serveClip(service, watched.auth, folder),
		async close() {
			await site.close();
			await through.close();
			await service.close();
			await project.remove();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** A tenant's site: its pages, a session in a cookie, and the one route for each domain. */
async function openSite(
	{ scripts, load }: Project,
	barred: ReadonlySet<string>,
	domains: Readonly<Record<string, Sdk.Reelmill>>,
) {
	const { uploadRoutes } = await load<typeof OnHono>("@reelmill/node/hono");
	const app = new Hono();
	const authorize = (context: Context) => {
		const ref = getCookie(context, "session");
		return ref === undefined ? null : { ref };
	};
	for (const [path, reelmill] of Object.entries(domains))
		app.all(
			`${path}video`,
			uploadRoutes({
				...{ reelmill, authorize, keySeconds: 60, allowedOrigins: ["https://app.example.com"] },
				describe: ({ about }) => (typeof about === "string" ? { external_ref: about } : {}),
				mayPlay: (_, { ref }) => !barred.has(ref),
			}),
		);
	app.get("/*", (context) => {
		const script = scripts.get(context.req.path);
		if (script !== undefined) return context.body(script, 200, { "content-type": "text/javascript" });
		const person = context.req.query("person");
		if (person) setCookie(context, "session", person, { httpOnly: true, sameSite: "Lax", path: "/" });
		return context.html(
			'<!doctype html><title>site</title><input type="file" multiple><video></video><video></video><script type="module" src="/page.js"></script>',
		);
	});
	app.post("/lost/video", (context) => context.html("<!doctype html><title>Sign in</title>"));
	const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
	await once(server, "listening");
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}
