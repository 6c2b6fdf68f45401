import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { chunks, random, sha256 } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { UploadStoreSubject } from "./subject.ts";

export const presignCases: readonly Case<UploadStoreSubject>[] = [
	{
		name: "makes a URL that gives the whole upload, and ranges of it, to whoever has it",
		needs: "presign",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			const bytes = random(7_000_000);
			await store.create(id);
			await store.append(id, 0, chunks(bytes), { limit: bytes.length });
			const url = await elsewhere.presign(id, { seconds: 60 });
			const whole = await fetch(url);
			assert.equal(whole.status, 200);
			assert.equal(sha256(await whole.bytes()), sha256(bytes));
			const range = await fetch(url, { headers: { range: "bytes=6999990-7999999" } });
			assert.equal(range.status, 206);
			assert.equal(range.headers.get("content-range"), "bytes 6999990-6999999/7000000");
			assert.ok(Buffer.from(await range.bytes()).equals(bytes.subarray(6_999_990)));
		},
	},
	{
		name: "makes a URL that answers 404 where the upload isn't whole, was discarded, or never was",
		needs: "presign",
		async run({ store }) {
			const id = randomUUID();
			const url = await store.presign(id, { seconds: 60 });
			const expectNone = async () => {
				const answer = await fetch(url);
				await answer.bytes();
				assert.equal(answer.status, 404);
			};
			await expectNone();
			await store.create(id);
			await store.append(id, 0, chunks(random(100)), { limit: 200 });
			await expectNone();
			await store.append(id, 100, chunks(random(100)), { limit: 200 });
			assert.equal((await (await fetch(url)).bytes()).length, 200);
			await store.discard(id);
			await expectNone();
		},
	},
	{
		name: "refuses to presign with a TypeError unless it says that it can",
		async run({ store }) {
			if (store.capabilities.presign) assert.ok(URL.canParse(await store.presign(randomUUID(), { seconds: 60 })));
			else await assert.rejects(store.presign(randomUUID(), { seconds: 60 }), TypeError);
		},
	},
];
