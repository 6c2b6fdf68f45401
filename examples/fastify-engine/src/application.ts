import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createNodeListener, guardServer } from "@reelmill/http";
import { build } from "esbuild";
import Fastify, { type FastifyInstance } from "fastify";
import type { Service } from "./service.ts";

const page = (name: string) => fileURLToPath(new URL(`./page/${name}`, import.meta.url));

/**
 * The application: its page and its own routes, which ask the engine directly, and the service's routes behind them.
 * A real one signs its users in, and says in each route who may do what.
 */
export async function createApplication({ engine, principal }: Service): Promise<FastifyInstance> {
	const { logger } = engine;
	const application = Fastify({ clientErrorHandler: () => undefined });
	guardServer(application.server, { logger });
	const html = await readFile(page("index.html"));
	const script = await bundle();
	application.get("/", (_, reply) => reply.type("text/html; charset=utf-8").send(html));
	application.get("/page.js", (_, reply) => reply.type("text/javascript").send(script));

	application.post<{ Body: { content_type: string; file_size: number } }>("/my/videos", ({ body }) =>
		engine.videos.create(principal, { content_type: body.content_type, file_size: body.file_size }),
	);
	application.get<{ Params: { id: string } }>("/my/videos/:id", ({ params }) =>
		engine.videos.get(principal, params.id),
	);
	application.post<{ Params: { id: string } }>("/my/videos/:id/key", ({ params }) =>
		engine.playback.createKey(principal, { viewer_ref: "visitor", ttl_seconds: 3600, video_ids: [params.id] }),
	);

	const listener = createNodeListener(engine);
	application.register(async (scope) => {
		// Fastify would read bodies; the listener reads them itself.
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
		scope.all("/*", (request, reply) => {
			reply.hijack();
			listener(request.raw, reply.raw);
		});
	});
	application.addHook("onClose", () => listener.settled());
	return application;
}

async function bundle(): Promise<string> {
	const { outputFiles } = await build({
		entryPoints: [page("page.ts")],
		bundle: true,
		format: "esm",
		target: "es2022",
		write: false,
		minify: true,
		logLevel: "silent",
	});
	return outputFiles[0]?.text ?? "";
}
