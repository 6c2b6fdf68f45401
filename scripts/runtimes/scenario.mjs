/**
 * What every runtime does with the packed packages: each step's outcome, the same everywhere. It uses nothing but what
 * all of them have.
 * @param {{
 * 	node: typeof import("../../packages/node/src/index.ts"),
 * 	next: typeof import("../../packages/node/src/frameworks/next.ts"),
 * 	client: typeof import("../../packages/client/src/index.ts"),
 * 	webhooks: typeof import("../../packages/webhooks/src/index.ts"),
 * }} packages
 * @param {{ baseUrl: string, apiKey: string }} service
 * @returns {Promise<Record<string, unknown>>}
 */
export async function scenario({ node, next, client, webhooks }, { baseUrl, apiKey }) {
	const secret = "whsec_of-the-runtimes";
	const payload = JSON.stringify({ id: "1", type: "video.ready", note: "Grüße 🎬" });
	const timestamp = Math.floor(Date.now() / 1000);
	const header = await webhooks.signWebhook({ payload, secrets: [secret], timestamp });
	const event = await node.verifyWebhook({ payload, headers: { [webhooks.signatureHeader]: header }, secret });
	const tampered = await webhooks.verifySignature({ payload: `${payload} `, header, secret }).catch(reason);
	const hook = next.webhookHandler({ secret, onEvent: () => {} });
	/** @param {string} body */
	const delivery = (body) =>
		new Request("https://shop.example.com/hook", {
			method: "POST",
			headers: { [webhooks.signatureHeader]: header },
			body,
		});

	const api = client.createClient({ baseUrl, credential: apiKey });
	const unknown = await api.call("getVideo", { params: { id: crypto.randomUUID() } }).catch(code);
	const away = await client
		.createClient({ baseUrl: "http://127.0.0.1:9", retry: { limit: 0 } })
		.call("getHealth", {})
		.catch((error) => error instanceof client.ConnectionError);

	const reelmill = node.createReelmill({ baseUrl, apiKey });
	const ref = `person-${crypto.randomUUID()}`;
	const sent = await reelmill.videos.upload(new Blob(["the bytes of a video"], { type: "video/mp4" }), {
		uploader_ref: ref,
	});
	const listed = [];
	for await (const { id } of reelmill.videos.list({ uploaderRef: ref })) listed.push(id === sent.id);

	const answer = node.uploadRoutes({
		reelmill,
		authorize: (request) => (request.headers.get("x-session") === "yes" ? { ref } : null),
	});
	/** @param {string} session */
	const ask = (session) =>
		answer(
			new Request("https://shop.example.com/video", {
				method: "POST",
				headers: { "content-type": "application/json", "x-session": session },
				body: JSON.stringify({ action: "playback_key", video_id: sent.id }),
			}),
		);
	return {
		event: event.type,
		tampered,
		hook: [(await hook(delivery(payload))).status, (await hook(delivery(`${payload} `))).status],
		unknown,
		away,
		sent: [sent.file_size, sent.uploaded_at !== null],
		listed,
		routes: [(await ask("yes")).status, (await ask("no")).status],
	};
}

/** @param {{ reason: string }} error */
const reason = (error) => error.reason;
/** @param {{ code: string, status: number }} error */
const code = (error) => [error.code, error.status];

/** What a runtime on which all works returns. */
export const expected = {
	event: "video.ready",
	tampered: "signature_mismatch",
	hook: [204, 400],
	unknown: ["video_not_found", 404],
	away: true,
	sent: [20, true],
	listed: [true],
	routes: [201, 401],
};
