import { runInNewContext } from "node:vm";
import { Hono } from "hono";
import { expect } from "vitest";
import type * as OnHono from "../../src/frameworks/hono.ts";
import type { NodeKind } from "./kind.ts";
import type { World } from "./world.ts";

const secret = "whsec_bm9ib2R5cyBzZWNyZXQ";
const body = JSON.stringify({ id: "delivery-1", type: "video.ready", note: "größer" });
const seconds = () => Math.floor(Date.now() / 1000);

const sign = async ({ project }: World, secrets = [secret], timestamp = seconds(), payload = body): Promise<string> => {
	const { signWebhook } = await project.load<typeof import("@reelmill/webhooks")>("@reelmill/webhooks");
	return signWebhook({ payload, secrets, timestamp });
};
/** What the packed SDK says of a request: its event's type, or why it is refused. */
const verdict = async (world: World, given: object): Promise<unknown> => {
	const headers = { "Service-Signature": await sign(world) };
	return world.sdk.verifyWebhook({ payload: body, headers, secret, ...given } as never).then(
		({ type }) => type,
		({ reason, message }) => ({ reason, message }),
	);
};
const refusal = (reason: string, message: RegExp) => ({ reason, message: expect.stringMatching(message) });

/** A receiver must learn what it did wrong, and never take what was not signed. */
export const webhooks: readonly NodeKind[] = [
	{
		kind: "a body that was parsed before",
		tried: "the refusal says so and what to do, also of a body that was serialised again",
		reports: ["stripe/stripe-node#341", "muxinc/mux-node-sdk#587", "stripe/stripe-node#1254"],
		async act(world) {
			expect(await verdict(world, { payload: JSON.parse(body) })).toEqual(refusal("parsed_payload", /express\.raw/));
			const again = JSON.stringify(JSON.parse(body), null, 2);
			expect(await verdict(world, { payload: again })).toEqual(refusal("signature_mismatch", /serialised again/));
			expect(await verdict(world, { payload: "[object Object]" })).toEqual(
				refusal("signature_mismatch", /text of a parsed object/),
			);
		},
	},
	{
		kind: "a body in base64",
		tried: "the refusal names it, and the decoded bytes are accepted",
		reports: ["stripe/stripe-node#1768", "stripe/stripe-node#356"],
		async act(world) {
			const payload = Buffer.from(body).toString("base64");
			expect(await verdict(world, { payload })).toEqual(refusal("signature_mismatch", /base64/));
			expect(await verdict(world, { payload: { body: payload, isBase64Encoded: true } })).toEqual(
				refusal("parsed_payload", /Lambda/),
			);
			expect(await verdict(world, { payload: Buffer.from(payload, "base64") })).toBe("video.ready");
		},
	},
	{
		kind: "a forgotten await",
		tried: "the refusal names the promise: the body, the headers or the secret",
		reports: ["openai/openai-node#2595", "stripe/stripe-node#2258"],
		async act(world) {
			for (const [given, reason] of [
				[{ payload: Promise.resolve(body) }, "parsed_payload"],
				[{ headers: Promise.resolve(new Headers()) }, "missing_header"],
				[{ secret: Promise.resolve(secret) }, "missing_secret"],
			] as const)
				expect(await verdict(world, given)).toEqual(refusal(reason, /await/));
		},
	},
	{
		kind: "a clock that is wrong",
		tried: "five minutes pass in both directions; beyond them the refusal says by how many seconds",
		reports: ["stripe/stripe-dotnet#1183", "svix/svix-webhooks#93"],
		async act(world) {
			for (const skew of [-299, 299])
				expect(await verdict(world, { now: () => (seconds() + skew) * 1000 })).toBe("video.ready");
			for (const skew of [-400, 400])
				expect(await verdict(world, { now: () => (seconds() + skew) * 1000 })).toEqual(
					refusal("timestamp_out_of_tolerance", /(399|400|401) s/),
				);
		},
	},
	{
		kind: "a secret that is rotated",
		tried: "of two signatures one is enough, in either place",
		reports: ["PostHog/posthog#61131", "profullstack/sh1pt#530", "integrallis/stripe_event#98"],
		async act(world) {
			const other = "whsec_YW5vdGhlciBzZWNyZXQ";
			for (const secrets of [
				[secret, other],
				[other, secret],
			])
				expect(await verdict(world, { headers: { "service-signature": await sign(world, secrets) } })).toBe(
					"video.ready",
				);
			expect(await verdict(world, { headers: { "service-signature": await sign(world, [other]) } })).toEqual(
				refusal("signature_mismatch", /rotated/),
			);
		},
	},
	{
		kind: "a secret with a newline, or none",
		tried: "the refusal says which",
		reports: ["stripe/stripe-js#667", "dj-stripe/dj-stripe#536"],
		async act(world) {
			expect(await verdict(world, { secret: `${secret}\n` })).toEqual(refusal("signature_mismatch", /newline/));
			for (const given of ["", undefined])
				expect(await verdict(world, { secret: given })).toEqual(refusal("missing_secret", /REELMILL_WEBHOOK_SECRET/));
		},
	},
	{
		kind: "a delivery that comes twice",
		tried: "it is verified twice, with one id to go by",
		reports: ["muxinc/mux-node-sdk#83", "wasp-lang/open-saas#688"],
		async act(world) {
			const headers = { "service-signature": await sign(world) };
			const events = [1, 2].map(() => world.sdk.verifyWebhook({ payload: body, headers, secret }));
			for (const { id } of await Promise.all(events)) expect(id).toBe("delivery-1");
		},
	},
	{
		kind: "headers and bodies of another realm",
		tried: "headers of any class, with names in any case, and bytes of another context are taken",
		reports: ["liveblocks/liveblocks#1057", "inkbox-ai/inkbox#163", "vercel/next.js#49739"],
		async act(world) {
			const signature = await sign(world);
			const bytes = new TextEncoder().encode(body);
			const foreign = runInNewContext("new Uint8Array(bytes).buffer", { bytes: [...bytes] }) as ArrayBuffer;
			for (const headers of [
				new Headers({ "service-signature": signature }),
				{ "SERVICE-SIGNATURE": signature },
				{ "service-signature": [signature] },
				runInNewContext("new Map([['service-signature', signature]])", { signature }),
			])
				expect(await verdict(world, { headers, payload: foreign })).toBe("video.ready");
		},
	},
	{
		kind: "a body that was cut short",
		tried: "the handler answers 400 and gives no event; one whose own work fails is not answered as taken",
		reports: ["stripe/stripe-node#356"],
		async act(world) {
			const { webhookHandler } = await world.project.load<typeof OnHono>("@reelmill/node/hono");
			const seen: string[] = [];
			const onEvent = ({ type }: { type: string }) => {
				seen.push(type);
				if (seen.length === 1) throw new Error("the database is away");
			};
			const app = new Hono().post("/hook", webhookHandler({ secret, onEvent })).onError((_, c) => c.text("later", 500));
			const post = async (sent: string) =>
				(
					await app.request("/hook", {
						method: "POST",
						body: sent,
						headers: { "service-signature": await sign(world) },
					})
				).status;
			expect([await post(body.slice(0, -5)), await post(body), await post(body)]).toEqual([400, 500, 204]);
			expect(seen).toEqual(["video.ready", "video.ready"]);
		},
	},
];
