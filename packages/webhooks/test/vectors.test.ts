import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { signWebhook, verifySignature, WebhookVerificationError } from "../src/index.ts";

type Vector = {
	name: string;
	payload_base64: string;
	secret: string;
	header: string;
	now_seconds: number;
	valid: boolean;
	reason?: string;
};
const { vectors } = JSON.parse(await readFile(new URL("./vectors.json", import.meta.url), "utf8")) as {
	vectors: Vector[];
};

describe.each(["Node", "Web Crypto"])("the published vectors, by %s", (by) => {
	beforeEach(() => void (by === "Node" || vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never)));
	afterEach(() => vi.restoreAllMocks());

	for (const vector of vectors) {
		it(`${vector.valid ? "accepts" : "refuses"} ${vector.name}`, async () => {
			const payload = Buffer.from(vector.payload_base64, "base64");
			const verified = verifySignature({
				payload,
				header: vector.header,
				secret: vector.secret,
				now: () => vector.now_seconds * 1000,
			});
			if (vector.valid) await expect(verified).resolves.toBeUndefined();
			else await expect(verified).rejects.toMatchObject({ name: "WebhookVerificationError", reason: vector.reason });
		});
	}

	it("are what signing gives, to the byte", async () => {
		const plain = vectors.filter(({ valid, header }) => valid && /^t=\d+,v1=[0-9a-f]{64}$/.test(header));
		expect(plain.length).toBeGreaterThan(4);
		for (const { payload_base64, secret, header } of plain) {
			const timestamp = Number(/^t=(\d+)/.exec(header)?.[1]);
			expect(await signWebhook({ payload: Buffer.from(payload_base64, "base64"), secrets: [secret], timestamp })).toBe(
				header,
			);
		}
	});
});

it("gives one signature a secret, in the order given", async () => {
	const rotated = vectors.find(({ name }) => name.includes("old secret"));
	const fresh = vectors.find(({ name }) => name.includes("new secret"));
	if (!rotated || !fresh) throw new Error("the rotation vectors are missing");
	const header = await signWebhook({
		payload: Buffer.from(fresh.payload_base64, "base64"),
		secrets: [fresh.secret, rotated.secret],
		timestamp: fresh.now_seconds,
	});
	expect(header).toBe(rotated.header);
});

it("throws an error that is recognised across copies of the package", () => {
	const foreign = Object.defineProperty(new Error("x"), Symbol.for("reelmill.webhook-verification-error"), {
		value: true,
	});
	expect(foreign).toBeInstanceOf(WebhookVerificationError);
	expect(new Error("x")).not.toBeInstanceOf(WebhookVerificationError);
});
