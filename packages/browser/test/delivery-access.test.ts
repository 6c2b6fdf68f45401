import { ReelmillError } from "@reelmill/client";
import { describe, expect, it } from "vitest";
import { createDeliveryAccess, type PlaybackKeyAnswer } from "../src/delivery-access.ts";
import { PlayerError } from "../src/player-error.ts";

const origin = "https://video.example.com";
const url = `${origin}/videos/1/web.mp4`;

/** Creates a clock that the test moves, and a source of keys, each of which is valid for an hour. */
function setting({ isPrivate = true, lifeSeconds = 3600 } = {}) {
	const clock = { ms: 0, setAt: 1_000_000_000 };
	let minted = 0;
	const key = async (): Promise<PlaybackKeyAnswer> => ({
		playback_key: `k${++minted}`,
		expires_at: new Date(clock.setAt + clock.ms + lifeSeconds * 1000).toISOString(),
	});
	return {
		clock,
		minted: () => minted,
		access: createDeliveryAccess({
			origin,
			isPrivate,
			key,
			now: () => clock.setAt + clock.ms,
			elapsed: () => clock.ms,
		}),
	};
}

describe("the playback key", () => {
	it("is one for all requests, however many ask at once", async () => {
		const { access, minted } = setting();
		expect(await Promise.all([access.authorization(url), access.authorization(`${origin}/other`)])).toEqual([
			"Bearer k1",
			"Bearer k1",
		]);
		expect(await access.authorization(url)).toBe("Bearer k1");
		expect(minted()).toBe(1);
	});

	it("goes to no other origin, and nowhere for a public video", async () => {
		const { access, minted } = setting();
		for (const other of [
			"https://example.com/x",
			"http://video.example.com/x",
			"https://video.example.com:8443/x",
			"https://video.example.com.evil.org/x",
		]) {
			expect(await access.authorization(other)).toBeUndefined();
			expect(access.refused(other, undefined)).toBe(false);
		}
		expect(await setting({ isPrivate: false }).access.authorization(url)).toBeUndefined();
		expect(minted()).toBe(0);
	});

	it("is asked for where a public video has become private meanwhile", async () => {
		const { access } = setting({ isPrivate: false });
		expect(access.refused(url, undefined)).toBe(true);
		expect(await access.authorization(url)).toBe("Bearer k1");
	});

	it("is renewed a minute before it ends, without a request having to wait", async () => {
		const { access, clock, minted } = setting();
		await access.authorization(url);
		clock.ms += 3_539_000;
		expect(await access.authorization(url)).toBe("Bearer k1");
		expect(minted()).toBe(1);
		clock.ms += 2000;
		expect(await access.authorization(url)).toBe("Bearer k1");
		await Promise.resolve();
		expect(minted()).toBe(2);
		expect(await access.authorization(url)).toBe("Bearer k2");
	});

	it.each([-7_200_000, 7_200_000])(
		"is renewed as early where the page's clock is set by %i ms meanwhile",
		async (step) => {
			const { access, clock, minted } = setting();
			await access.authorization(url);
			clock.setAt += step;
			expect(await access.authorization(url)).toBe("Bearer k1");
			expect(minted()).toBe(1);
			clock.ms += 3_541_000;
			await access.authorization(url);
			expect(minted()).toBe(2);
		},
	);

	it("is waited for once the old one has ended", async () => {
		const { access, clock } = setting();
		await access.authorization(url);
		clock.ms += 3_601_000;
		expect(await access.authorization(url)).toBe("Bearer k2");
	});

	it("is renewed once when several requests were refused with it", async () => {
		const { access, minted } = setting();
		const sent = await access.authorization(url);
		expect([access.refused(url, sent), access.refused(url, sent)]).toEqual([true, true]);
		expect(await access.authorization(url)).toBe("Bearer k2");
		expect(access.refused(url, sent)).toBe(true);
		expect(await access.authorization(url)).toBe("Bearer k2");
		expect(minted()).toBe(2);
	});

	it("is not minted for each request by a page whose clock is wrong", async () => {
		const { access, clock, minted } = setting({ lifeSeconds: -7200 });
		for (let request = 0; request < 10; request++) {
			await access.authorization(url);
			clock.ms += 1000;
		}
		expect(minted()).toBe(1);
	});

	it("fails with the page's own error and is asked for again the next time", async () => {
		let asked = 0;
		const key = async () => {
			if (++asked === 1) throw new Error("signed out");
			return { playback_key: "k", expires_at: "2099-01-01T00:00:00.000Z" };
		};
		const access = createDeliveryAccess({ origin, isPrivate: true, key });
		await expect(access.authorization(url)).rejects.toMatchObject({
			code: "key_unavailable",
			cause: { message: "signed out" },
		});
		expect(await access.authorization(url)).toBe("Bearer k");
	});

	it.each([
		[new ReelmillError("video_not_found"), { code: "video_not_found", reason: "deleted" }],
		[new ReelmillError("forbidden"), { code: "forbidden", reason: "locked" }],
		[new ReelmillError("unauthorized"), { code: "unauthorized", reason: "locked" }],
		[
			new PlayerError("key_unavailable", "The course has ended.", { reason: "expired" }),
			{ message: "The course has ended.", reason: "expired" },
		],
	])("fails as the page says: %s", async (thrown, error) => {
		const key = async () => {
			throw thrown;
		};
		const access = createDeliveryAccess({ origin, isPrivate: true, key });
		await expect(access.authorization(url)).rejects.toMatchObject(error);
	});
});
