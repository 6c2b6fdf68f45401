import { randomUUID } from "node:crypto";
import { createReelmill } from "@reelmill/node";
import { uploadRoutes, webhookHandler } from "@reelmill/node/express";
import express, { type Request } from "express";

const { REELMILL_URL, REELMILL_API_KEY, REELMILL_WEBHOOK_SECRET, PORT = "3000" } = process.env;
const reelmill = createReelmill({ baseUrl: REELMILL_URL, apiKey: REELMILL_API_KEY });

// Your own sign-in and your own database take the place of these two.
const people = new Map<string, { ref: string }>(); // by session
const ready = new Map<string, string | null>(); // who uploaded a video, by its id

const personOf = ({ headers }: Request) => people.get(/session=([\w-]+)/.exec(headers.cookie ?? "")?.[1] ?? "") ?? null;

const app = express();

// The service says which video is ready. No parser may stand before this route: the signature is over the raw body.
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

app.get("/api/videos", (request, response) => {
	const person = personOf(request);
	response.json(person && [...ready.keys()].filter((id) => ready.get(id) === person.ref));
});

app.post("/api/sign-in", express.urlencoded(), (request, response) => {
	const session = randomUUID();
	people.set(session, { ref: `${request.body.name}` });
	response.cookie("session", session, { httpOnly: true, sameSite: "lax" }).redirect(303, "/");
});

app.use(express.static("public"), express.static("node_modules/@reelmill/elements/dist"));
app.listen(Number(PORT), () => console.log(`Open http://localhost:${PORT}`));
