import { randomUUID } from "node:crypto";
import { createReelmill, uploadRoutes } from "@reelmill/node";
import { webhookHandler } from "@reelmill/node/next";
import { error, json, type RequestHandler, redirect } from "@sveltejs/kit";

const { REELMILL_URL, REELMILL_API_KEY, REELMILL_WEBHOOK_SECRET } = process.env;
const reelmill = createReelmill({ baseUrl: REELMILL_URL, apiKey: REELMILL_API_KEY });

// Your own sign-in and your own database take the place of these two.
const people = new Map<string, { ref: string }>(); // by session
const ready = new Map<string, string | null>(); // who uploaded a video, by its id

const personOf = ({ headers }: Request) =>
	people.get(/session=([\w-]+)/.exec(headers.get("cookie") ?? "")?.[1] ?? "") ?? null;

// The service says which video is ready. The handler for Next.js takes a Request, as every route of SvelteKit has one.
const takeWebhook = webhookHandler({
	secret: REELMILL_WEBHOOK_SECRET,
	onEvent({ type, data }) {
		if (type === "video.ready") ready.set(data.video.id, data.video.uploader_ref);
	},
});

// The page asks for an upload token, a video or a playback key. Who isn't signed in gets none of them.
const video = uploadRoutes({
	reelmill,
	authorize: personOf,
	describe: () => ({ visibility: "private" }),
});

export const POST: RequestHandler = async ({ params, request, cookies }) => {
	if (params.path === "webhooks") return takeWebhook(request);
	if (params.path === "video") return video(request);
	if (params.path !== "sign-in") error(404);
	const session = randomUUID();
	people.set(session, { ref: `${(await request.formData()).get("name")}` });
	cookies.set("session", session, { path: "/", httpOnly: true, sameSite: "lax" });
	redirect(303, "/");
};

// GET /api/videos
export const GET: RequestHandler = ({ request }) => {
	const person = personOf(request);
	return json(person && [...ready.keys()].filter((id) => ready.get(id) === person.ref));
};
