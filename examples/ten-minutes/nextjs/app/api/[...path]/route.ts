import { randomUUID } from "node:crypto";
import { createReelmill } from "@reelmill/node";
import { uploadRoutes, webhookHandler } from "@reelmill/node/next";
import { type NextRequest, NextResponse } from "next/server";

const { REELMILL_URL, REELMILL_API_KEY, REELMILL_WEBHOOK_SECRET } = process.env;
const reelmill = createReelmill({ baseUrl: REELMILL_URL, apiKey: REELMILL_API_KEY });

// Your own sign-in and your own database take the place of these two. They are the reason why all routes stand in one
// file here: Next.js may give each route a memory of its own.
const people = new Map<string, { ref: string }>(); // by session
const ready = new Map<string, string | null>(); // who uploaded a video, by its id

const personOf = ({ cookies }: NextRequest) => people.get(cookies.get("session")?.value ?? "") ?? null;

// The service says which video is ready.
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

async function signIn(request: NextRequest) {
	const session = randomUUID();
	people.set(session, { ref: `${(await request.formData()).get("name")}` });
	const answer = new NextResponse(null, { status: 303, headers: { location: "/" } });
	answer.cookies.set("session", session, { httpOnly: true, sameSite: "lax" });
	return answer;
}

type Path = { params: Promise<{ path: string[] }> };

export async function POST(request: NextRequest, { params }: Path) {
	const [name] = (await params).path;
	if (name === "webhooks") return takeWebhook(request);
	if (name === "video") return video.POST(request);
	if (name === "sign-in") return signIn(request);
	return new Response(null, { status: 404 });
}

// GET /api/videos
export async function GET(request: NextRequest) {
	const person = personOf(request);
	return Response.json(person && [...ready.keys()].filter((id) => ready.get(id) === person.ref));
}
