import type { Audience } from "../operation.ts";

const what =
	"Reelmill hosts and processes video for many tenants, called domains: resumable uploads straight from the end user's device, HLS and DASH with H.264 and AV1, private playback with short-lived keys, signed webhooks.";

const authentication = {
	tenants: `## Authentication

Your back end sends its domain key as \`Authorization: Bearer ek_...\`, and nobody else holds it. A device uploads with the token of its one upload, a player plays with a playback key. Without a valid credential the answer is 401 with \`WWW-Authenticate: Bearer\`.`,
	operators: `## Authentication

The admin key is sent as \`Authorization: Bearer\`. Health, readiness and metrics need none.`,
	workers: `## Authentication

A worker exchanges the name and secret of its service account for a token, which it sends as \`Authorization: Bearer\` and renews within the hour.`,
	console: `## Authentication

Signing in sets a cookie. Every request but GET needs the header \`x-service-console\` as well, and one about a domain \`x-service-domain\`.`,
} as const satisfies Record<Audience, string>;

const errors = `## Errors

Every error is \`{ error, message }\`, some with fields of their own: branch on \`error\`. \`4XX\` and \`5XX\` list what any such call may meet. Retry 5xx, and 429 after \`Retry-After\`. Every answer has an \`x-request-id\`; those with JSON are \`no-store\`.`;

const pages = `## Pages

A list answers \`data\` and \`next_cursor\`. Pass that as \`cursor\`, with the same filters, until it is null. \`limit\` is 1 to 100 (default: 20).`;

const idempotency = `## Idempotency

Reads, PUT and DELETE may be repeated. Give a creation of a video or an outro an \`Idempotency-Key\`: for 24 hours the same key with the same body gets the same answer.`;

const webhooks = `## Webhooks

Events are sent by POST to the domain's \`webhook_url\`. Verify \`Service-Signature\` over the raw body: HMAC-SHA256 of the timestamp, a dot and the body's bytes, keyed with the secret as it is written. An event may come twice: its \`id\` stays the same. Ignore types that you don't know, such as \`webhook.test\`. Changes after the upload (\`video.updated\`) are sent to an endpoint that asks for them: by the header \`Service-Events: video.updated\` in its 2xx answers.`;

/** Says what a reader of an audience's document needs before the first call. */
export function about(part: Audience | "all"): string {
	const ofAll = Object.values(authentication).map((text, index) => (index === 0 ? text : text.split("\n\n")[1]));
	const parts = {
		tenants: [authentication.tenants, errors, pages, idempotency, webhooks],
		operators: [authentication.operators, errors, pages],
		workers: [authentication.workers, errors],
		console: [authentication.console, errors, pages, idempotency],
		all: [...ofAll, errors, pages, idempotency, webhooks],
	} as const satisfies Record<Audience | "all", readonly (string | undefined)[]>;
	return [what, ...parts[part]].join("\n\n");
}
