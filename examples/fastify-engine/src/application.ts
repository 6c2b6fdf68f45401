import { createNodeListener, guardServer } from "@reelmill/http";
import Fastify, { type FastifyInstance } from "fastify";
import { buildPage } from "../../demo/src/build-page.ts";
import type { Service } from "./service.ts";

/**
 * The application: its page and its own routes, which ask the engine directly, and the service's routes behind them.
 * A real one signs its users in, and says in each route who may do what.
 */
export async function createApplication({ engine, principal }: Service): Promise<FastifyInstance> {
	const { logger } = engine;
	const application = Fastify({ clientErrorHandler: () => undefined });
	guardServer(application.server, { logger });
	for (const [path, { type, body }] of await buildPage(new URL("./page/", import.meta.url)))
		application.get(path, (_, reply) => reply.type(type).send(body));

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
