import { randomUUID } from "node:crypto";
import type { Reelmill } from "@reelmill/node";
import { uploadRoutes, webhookHandler } from "@reelmill/node/express";
import express, { type Express, type Request } from "express";
import { buildPage } from "../../demo/src/build-page.ts";

export type ApplicationOptions = {
	readonly reelmill: Pick<Reelmill, "videos" | "playbackKeys">;
	readonly webhookSecret: string;
};
/** A video that everybody who is signed in may watch. */
export type Lesson = { readonly videoId: string; readonly title: string; readonly by: string };

/** A back end of a tenant: people sign in, upload lessons, and watch those of all. It keeps what it knows in memory. */
export async function createApplication({ reelmill, webhookSecret }: ApplicationOptions): Promise<Express> {
	const sessions = new Map<string, { readonly ref: string }>();
	const lessons = new Map<string, Lesson>();
	const personOf = ({ headers }: Request) => sessions.get(/\bsession=([\w-]+)/.exec(headers.cookie ?? "")?.[1] ?? "");

	const application = express();
	// Before any parser: a signature is over the bytes as they came.
	application.post(
		"/webhooks",
		webhookHandler({
			secret: webhookSecret,
			onEvent(event) {
				if (event.type !== "video.ready") return;
				const { id, external_ref: title, uploader_ref: by } = event.data.video;
				lessons.set(id, { videoId: id, title: title ?? "", by: by ?? "" });
			},
		}),
	);
	application.all(
		"/video",
		uploadRoutes({
			reelmill,
			authorize: (request: Request) => personOf(request) ?? null,
			describe: ({ about }) => (typeof about === "string" && about !== "" ? { external_ref: about } : null),
			mayPlay: ({ id, uploader_ref }, { ref }) => uploader_ref === ref || lessons.has(id),
		}),
	);
	application.post("/sign-in", express.json(), (request, response) => {
		const name: unknown = request.body?.name;
		if (typeof name !== "string" || name === "") return void response.sendStatus(400);
		const session = randomUUID();
		sessions.set(session, { ref: name });
		response.cookie("session", session, { httpOnly: true, sameSite: "lax" }).sendStatus(204);
	});
	application.get("/lessons", (request, response) => {
		if (!personOf(request)) return void response.sendStatus(401);
		response.json([...lessons.values()]);
	});

	for (const [path, { type, body }] of await buildPage(new URL("./page/", import.meta.url)))
		application.get(path, (_, response) => void response.type(type).send(body));
	return application;
}
