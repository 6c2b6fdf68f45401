import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type Faulty, openFaulty } from "../support/open-faulty.ts";
import { seeded } from "../support/seeded.ts";
import { sendUpload, sha256, sha256Of } from "../support/send-upload.ts";

let faulty: Faulty;
beforeEach(async () => {
	faulty = await openFaulty(inject("s3"));
});
afterEach(() => faulty.close());

test.each([1, 2, 3, 4, 5, 6])(
	"two uploads at once get through where half of all requests meet some fault (seed %i)",
	async (seed) => {
		const random = seeded(seed);
		const share = { share: 0.1, random };
		const { proxy, through, direct, bucket } = faulty;
		const files = [11_000_000, 17_000_000].map((length) => ({ id: randomUUID(), bytes: randomBytes(length) }));
		for (const { id } of files) await direct.uploads.create(id);
		proxy.use({ chance: share, fault: { kind: "refuse", status: 503 } });
		proxy.use({ chance: share, fault: { kind: "refuse-after", status: 500 } });
		proxy.use({ chance: share, fault: { kind: "lose-answer" } });
		proxy.use({
			chance: share,
			fault: { kind: "cut", direction: "request", afterBytes: Math.floor(random.fraction() * 5_000_000) },
		});
		proxy.use({ chance: share, fault: { kind: "cut", direction: "request", afterBytes: 0 } });
		proxy.use({ chance: share, fault: { kind: "cut", direction: "answer", afterBytes: 60 } });
		await Promise.all(files.map(({ id, bytes }) => sendUpload(through.uploads, id, bytes, 100)));
		expect(proxy.seen.filter(({ fault }) => fault !== null).length).toBeGreaterThan(5);
		for (const { id, bytes } of files) {
			const found = await direct.uploads.read(id);
			expect(found && (await sha256Of(found.bytes))).toBe(sha256(bytes));
			await direct.uploads.discard(id);
		}
		expect(await bucket.keys()).toEqual([]);
		expect(await bucket.unfinished()).toEqual([]);
	},
);
