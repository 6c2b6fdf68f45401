import { describe, expect, it } from "vitest";
import { signWebhook, type VerifyOptions, verifySignature } from "../src/index.ts";

const secret = "whsec_5f1c0c9e2b7d4a8896e3d1f0a7b2c4e6";
const timestamp = 1_764_547_200;
const now = () => timestamp * 1000 + 999;
const payload = '{"type":"video.ready"}';
const header = await signWebhook({ payload, secrets: [secret], timestamp });

describe("verifying a signature", () => {
	it("takes a string, an ArrayBuffer and any view of one alike", async () => {
		const bytes = new TextEncoder().encode(payload);
		const words = new Uint16Array(bytes.buffer.slice(0));
		for (const form of [payload, bytes, Buffer.from(payload), bytes.buffer, new DataView(bytes.buffer), words]) {
			await expect(verifySignature({ payload: form, header, secret, now })).resolves.toBeUndefined();
		}
	});

	it("honours a view's own part of a larger buffer", async () => {
		const pooled = Buffer.from(`xx${payload}yy`).subarray(2, -2);
		await expect(verifySignature({ payload: pooled, header, secret, now })).resolves.toBeUndefined();
	});

	it("counts in whole seconds, so that 300 seconds and some milliseconds still pass", async () => {
		await expect(
			verifySignature({ payload, header, secret, now: () => (timestamp + 300) * 1000 + 999 }),
		).resolves.toBeUndefined();
		await expect(
			verifySignature({ payload, header, secret, now: () => (timestamp + 301) * 1000 }),
		).rejects.toMatchObject({
			reason: "timestamp_out_of_tolerance",
		});
	});

	it("reads the real clock unless told another", async () => {
		const fresh = await signWebhook({ payload, secrets: [secret], timestamp: Math.floor(Date.now() / 1000) });
		await expect(verifySignature({ payload, header: fresh, secret })).resolves.toBeUndefined();
		await expect(verifySignature({ payload, header, secret })).rejects.toMatchObject({
			reason: "timestamp_out_of_tolerance",
		});
	});

	it("accepts nothing when the tolerance is no number", async () => {
		await expect(verifySignature({ payload, header, secret, now, toleranceSeconds: Number.NaN })).rejects.toMatchObject(
			{
				reason: "timestamp_out_of_tolerance",
			},
		);
	});

	it("refuses two timestamps, one of which nobody signed", async () => {
		await expect(verifySignature({ payload, header: `t=1,${header}`, secret, now })).rejects.toMatchObject({
			reason: "malformed_header",
		});
	});
});

describe("the message of a refusal", () => {
	const message = (options: { [K in keyof VerifyOptions]?: unknown }) =>
		verifySignature({ payload, header, secret, now, ...options } as VerifyOptions).then(
			() => "accepted",
			(error: Error) => error.message,
		);

	it("names a parsed body", async () => {
		expect(await message({ payload: JSON.parse(payload) })).toContain("raw request body");
		expect(await message({ payload: JSON.stringify(JSON.parse(payload), null, 2) })).toContain("serialised again");
	});

	it("says what was given in the place of a body", async () => {
		expect(await message({ payload: Promise.resolve(payload) })).toContain("a promise: is an await missing");
		expect(await message({ payload: undefined })).toContain("undefined. In Nest");
		expect(await message({ payload: { body: payload, headers: {}, isBase64Encoded: false } })).toContain("AWS Lambda");
		expect(await message({ payload: new Request("https://a.example") })).toContain("the whole request");
		expect(await message({ payload: new Response(payload).body })).toContain("a stream");
		expect(await message({ payload: [payload] })).toContain("a parsed value (Array)");
		for (const body of [payload, JSON.stringify(JSON.parse(payload), null, 2)])
			expect(await message({ payload: Buffer.from(body).toString("base64") })).toContain("isBase64Encoded");
		expect(await message({ payload: `${JSON.parse(payload)}` })).toContain("the text of a parsed object");
		expect(await message({ payload: "" })).toContain("is empty");
	});

	it("names a secret that cannot be one", async () => {
		for (const missing of ["", undefined])
			expect(await message({ secret: missing })).toMatch(/The secret is missing: .*REELMILL_WEBHOOK_SECRET/);
		expect(await message({ secret: Promise.resolve(secret) })).toContain("The secret is a promise");
		expect(await message({ secret: "ek_abc" })).toContain("does not begin with whsec_");
		expect(await message({ secret: `${secret}\n` })).toContain("white space");
	});

	it("names the clock", async () => {
		expect(await message({ now: () => (timestamp + 4000) * 1000 })).toContain("4000 s away from this machine's clock");
	});

	it("names a header that is not there", async () => {
		expect(await message({ header: null })).toContain("service-signature");
		expect(await message({ header: undefined })).toContain("service-signature");
	});
});

describe("signing", () => {
	it("refuses to sign without a secret or with an empty one", async () => {
		await expect(signWebhook({ payload, secrets: [], timestamp })).rejects.toThrow(TypeError);
		await expect(signWebhook({ payload, secrets: [secret, ""], timestamp })).rejects.toThrow(TypeError);
	});

	it("refuses a timestamp that is not in whole seconds", async () => {
		await expect(signWebhook({ payload, secrets: [secret], timestamp: 1.5 })).rejects.toThrow(TypeError);
	});
});
