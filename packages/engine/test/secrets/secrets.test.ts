import { systemRandom } from "@reelmill/engine";
import { createFakeClock } from "@reelmill/engine/testing";
import { describe, expect, it } from "vitest";
import { createSealer, createTokenFamily, deriveKey, deriveKeys, keyPurposes } from "../../src/secrets/index.ts";

const master = new Uint8Array(32).fill(1);

describe("secrets", () => {
	it("have a key of their own for each purpose, and need a whole master key", () => {
		expect(new Set(keyPurposes.map((purpose) => Buffer.from(deriveKey(master, purpose)).toString("hex"))).size).toBe(
			keyPurposes.length,
		);
		expect(() => deriveKey(new Uint8Array(31), "seal")).toThrow(RangeError);
	});

	it("that were sealed open again, and not when a bit changed or the key is another", () => {
		const sealer = createSealer(deriveKeys([master], "seal"), systemRandom);
		const sealed = sealer.seal("whsec_ä");
		expect(sealer.open(sealed)).toBe("whsec_ä");
		expect(sealer.seal("whsec_ä")).not.toBe(sealed);
		const bytes = Buffer.from(sealed, "base64url");
		bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
		expect(() => sealer.open(bytes.toString("base64url"))).toThrow();
		expect(() => createSealer(deriveKeys([master], "cursor"), systemRandom).open(sealed)).toThrow();
	});

	it("as tokens are good for their own family, until they end", async () => {
		const clock = createFakeClock();
		const family = createTokenFamily<{ sub: string }>("service-upload", deriveKeys([master], "upload-token"), clock);
		const sameKeyOtherAudience = createTokenFamily<{ sub: string }>(
			"service-playback",
			deriveKeys([master], "upload-token"),
			clock,
		);
		const { token, expiresAt } = await family.sign({ sub: "x" }, 60);
		expect(expiresAt.getTime()).toBe(clock.now() + 60_000);
		expect(await family.verify(token)).toMatchObject({ sub: "x" });
		expect(await sameKeyOtherAudience.verify(token)).toBeNull();
		const [header, payload] = token.split(".");
		const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${payload}.`;
		const [, otherPayload] = (await family.sign({ sub: "y" }, 60)).token.split(".");
		const exchanged = `${header}.${otherPayload}.${token.split(".")[2]}`;
		for (const forged of ["", "a.b.c", unsigned, `${header}.${payload}.`, exchanged])
			expect(await family.verify(forged)).toBeNull();
		expect(await family.verify(token)).toMatchObject({ sub: "x" });
		await clock.advance(60_000);
		expect(await family.verify(token)).toBeNull();
		expect(await family.verifyIgnoringExpiry(token)).toMatchObject({ sub: "x" });
	});
});
