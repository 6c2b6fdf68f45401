import { randomBytes } from "node:crypto";
import type { StorageFault } from "@reelmill/engine/ports";
import type { Fault } from "@reelmill/fault-proxy";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { type Faulty, openFaulty, storageFailure } from "../support/open-faulty.ts";
import { chunks, sha256, sha256Of } from "../support/send-upload.ts";

const key = "v/1/media/h264_720.mp4";
const sizes = [200_000, 20_000_000];

let faulty: Faulty;
const open = async (options?: Parameters<typeof openFaulty>[1]) => {
	faulty = await openFaulty(inject("s3"), { keyPrefix: "tenant", ...options });
};
const openAgain = async (options: Parameters<typeof openFaulty>[1]) => {
	await faulty.close();
	await open(options);
};
beforeEach(() => open());
afterEach(() => faulty.close());

const stored = async () => {
	const found = await faulty.direct.outputs.get(key);
	return found && sha256Of(found.bytes);
};
const put = (bytes: Uint8Array) => faulty.through.outputs.put(key, chunks(bytes));

const cutBody: Fault = { kind: "cut", direction: "request", afterBytes: 100_000 };
const faults: readonly [string, Fault, StorageFault][] = [
	["refused", { kind: "refuse", status: 500 }, "failed"],
	["cut within their bodies", cutBody, "unreachable"],
	["met with silence", { kind: "silence" }, "unreachable"],
];

describe.each(sizes)("an object of %i bytes", (size) => {
	test.each(faults)("is whole when the first request of its bytes is %s", async (_, fault) => {
		if (fault.kind === "silence") await openAgain({ idleMilliseconds: 3000 });
		const bytes = randomBytes(size);
		const rule = faulty.proxy.use({ when: { method: "PUT" }, times: 1, fault });
		expect(await put(bytes)).toEqual({ key, size });
		expect(rule.hits).toBe(1);
		expect(await stored()).toBe(sha256(bytes));
	});

	test.each(faults)(
		"stays as it was, with nothing left over, when all requests of its new bytes are %s",
		async (_, fault, reason) => {
			if (fault.kind === "silence") await openAgain({ idleMilliseconds: 1000, attempts: 2 });
			const old = randomBytes(1000);
			await faulty.direct.outputs.put(key, chunks(old));
			faulty.proxy.use({ when: { method: "PUT" }, fault });
			expect((await storageFailure(put(randomBytes(size)))).fault).toBe(reason);
			expect(await stored()).toBe(sha256(old));
			expect(await faulty.bucket.keys()).toEqual([`tenant/${key}`]);
			expect(await faulty.bucket.unfinished()).toEqual([]);
		},
	);

	test("is there whole when the answer to its last request is lost each time", async () => {
		const bytes = randomBytes(size);
		faulty.proxy.use({
			when: size > 1_000_000 ? { method: "POST", query: { uploadId: true } } : { method: "PUT" },
			fault: { kind: "lose-answer" },
		});
		await put(bytes).catch(() => undefined);
		expect(await stored()).toBe(sha256(bytes));
		expect(await faulty.bucket.unfinished()).toEqual([]);
	});
});

describe("a read", () => {
	const bytes = randomBytes(3_000_000);
	const read = async (range?: { start: number; end: number }) => {
		const found = await faulty.through.outputs.get(key, range);
		return found && sha256Of(found.bytes);
	};
	const storeAgain = async (options: Parameters<typeof openFaulty>[1]) => {
		await openAgain(options);
		await faulty.direct.outputs.put(key, chunks(bytes));
	};
	beforeEach(async () => void (await faulty.direct.outputs.put(key, chunks(bytes))));

	test("that is refused once goes through", async () => {
		faulty.proxy.use({ times: 1, fault: { kind: "refuse", status: 503 } });
		expect(await read()).toBe(sha256(bytes));
		faulty.proxy.use({ times: 1, fault: { kind: "lose-answer" } });
		expect(await read({ start: 1000, end: 1_999_999 })).toBe(sha256(bytes.subarray(1000, 2_000_000)));
	});

	const cut = (afterBytes: number): Fault => ({ kind: "cut", direction: "answer", afterBytes });
	const silent = (afterBytes: number): Fault => ({ kind: "hold", direction: "answer", afterBytes });

	test.each([
		["breaks off", cut(1_000_000)],
		["falls silent", silent(1_000_000)],
	])("whose answer %s again and again is taken up where it was, and ends whole", async (_, fault) => {
		if (fault.kind === "hold") await storeAgain({ idleMilliseconds: 2000 });
		faulty.proxy.use({ when: { method: "GET" }, fault });
		expect(await read()).toBe(sha256(bytes));
		expect(await read({ start: 5, end: 2_500_000 })).toBe(sha256(bytes.subarray(5, 2_500_001)));
		expect(faulty.proxy.seen.length).toBeGreaterThan(4);
	});

	test.each([
		["breaks off", cut(0)],
		["falls silent", silent(0)],
	])(
		"whose answer %s each time before a byte came fails with its reason, and never ends as if it were whole",
		async (_, fault) => {
			if (fault.kind === "hold") await storeAgain({ idleMilliseconds: 500, answerMilliseconds: 5500 });
			faulty.proxy.use({
				when: { method: "GET" },
				nth: 1,
				fault: fault.kind === "hold" ? silent(1_000_000) : cut(1_000_000),
			});
			faulty.proxy.use({ when: { method: "GET" }, fault });
			expect((await storageFailure(read())).fault).toBe("unreachable");
			expect((await storageFailure(read({ start: 0, end: 2_500_000 }))).fault).toBe("unreachable");
		},
	);

	test("that is taken up again when the object was replaced meanwhile throws, and never mixes the two", async () => {
		const held = faulty.proxy.use({ when: { method: "GET" }, times: 1, fault: cut(1_000_000) });
		const reading = storageFailure(read());
		const slow = faulty.proxy.use({
			when: { method: "GET" },
			until: held.hit().then(() => faulty.direct.outputs.put(key, chunks(randomBytes(3_000_000)))),
			fault: { kind: "pass" },
		});
		expect((await reading).fault).toBe("failed");
		expect(slow.hits).toBeGreaterThan(0);
	});

	test("that is left early lets its connection go, so that two hundred of them don't use up the pool", async () => {
		for (let time = 0; time < 200; time++) {
			const found = await faulty.through.outputs.get(key);
			for await (const _ of found?.bytes ?? []) break;
		}
		expect(await read()).toBe(sha256(bytes));
	});
});

test("a list whose answer breaks off fails, and is never a shorter list", async () => {
	for (const name of ["a", "b", "c"]) await faulty.direct.outputs.put(`v/1/${name}`, chunks(randomBytes(10)));
	const list = async () => {
		const keys: string[] = [];
		for await (const each of faulty.through.outputs.list("v/1/")) keys.push(each.key);
		return keys;
	};
	const rule = faulty.proxy.use({ fault: { kind: "cut", direction: "answer", afterBytes: 400 } });
	await storageFailure(list());
	rule.remove();
	expect(await list()).toEqual(["v/1/a", "v/1/b", "v/1/c"]);
});

test("a presigned URL for the proxy's address works through the proxy, for GET and PUT", async () => {
	const body = Uint8Array.from(randomBytes(500_000));
	const upload = await faulty.through.outputs.presign(key, { method: "PUT", seconds: 60, size: body.length });
	expect(new URL(upload).origin).toBe(faulty.proxy.url);
	expect((await fetch(upload, { method: "PUT", body, headers: { "if-none-match": "*" } })).status).toBe(200);
	const answer = await fetch(await faulty.through.outputs.presign(key, { method: "GET", seconds: 60 }), {
		headers: { range: "bytes=10-99" },
	});
	expect([answer.status, sha256(await answer.bytes())]).toEqual([206, sha256(body.subarray(10, 100))]);
});
