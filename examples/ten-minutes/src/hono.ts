import { randomUUID } from "node:crypto";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { createReelmill } from "@reelmill/node";
import { uploadRoutes, webhookHandler } from "@reelmill/node/hono";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";

const { REELMILL_URL, REELMILL_API_KEY, REELMILL_WEBHOOK_SECRET, PORT = "3000" } = process.env;
const reelmill = createReelmill({ baseUrl: REELMILL_URL, apiKey: REELMILL_API_KEY });

// Your own sign-in and your own database take the place of these two.
const people = new Map<string, { ref: string }>(); // by session
const ready = new Map<string, string | null>(); // who uploaded a video, by its id

const personOf = (context: Context) => people.get(getCookie(context, "session") ?? "") ?? null;

const app = new Hono();

// The service says which video is ready. No middleware may read the body before: the signature is over its bytes.
app.post(
	"/api/webhooks",
	webhookHandler({
		secret: REELMILL_WEBHOOK_SECRET,
		onEvent({ type, data }) {
			if (type === "video.ready") ready.set(data.video.id, data.video.uploader_ref);
		},
	}),
);

// The page asks for an upload token, a video or a playback key. Who isn't signed in gets none of them.
app.all(
	"/api/video",
	uploadRoutes({
		reelmill,
		authorize: personOf,
		describe: () => ({ visibility: "private" }),
	}),
);

app.get("/api/videos", (context) => {
	const person = personOf(context);
	return context.json(person && [...ready.keys()].filter((id) => ready.get(id) === person.ref));
});

app.post("/api/sign-in", async (context) => {
	const session = randomUUID();
	people.set(session, { ref: `${(await context.req.parseBody()).name}` });
	setCookie(context, "session", session, { httpOnly: true, sameSite: "Lax" });
	return context.redirect("/", 303);
});

app.use(serveStatic({ root: "public" }), serveStatic({ root: "node_modules/@reelmill/elements/dist" }));
serve({ fetch: app.fetch, port: Number(PORT) }, () => console.log(`Open http://localhost:${PORT}`));
