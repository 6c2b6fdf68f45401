import { isReelmillError } from "@reelmill/contracts";
import type { TenantPrincipal } from "@reelmill/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine({ dailyUploadBytes: 400 });
	await opened.engine.start();
});
afterAll(() => opened.close());

const staleness = 1001;
async function session(): Promise<TenantPrincipal> {
	const { api_key } = await opened.engine.sandbox.createSession();
	return opened.engine.keys.authenticate(`Bearer ${api_key}`);
}
const told = (error: unknown) =>
	isReelmillError(error)
		? { code: error.code, retryAfter: (error.extras as { retryAfter?: string }).retryAfter }
		: null;

/** What the remembered verdict says of this size, and what an initiate is answered. */
async function verdicts(principal: TenantPrincipal, file_size: number) {
	await opened.clock.advance(staleness);
	const verdict = told(await opened.engine.quotas.fault(principal, file_size));
	const answer = await opened.engine.videos.create(principal, { ...clip, file_size }).then(() => null, told);
	return { verdict, answer };
}

/** Says of all uploads of visitors that their first byte has come. */
const begun = () =>
	opened.database.query({
		text: "update reelmill.videos set first_byte_at = created_at where session_id is not null",
		values: [],
	});

it.each<[string, () => Promise<{ principal: TenantPrincipal; size: number }>, string | null]>([
	["a file that has room", async () => ({ principal: (await opened.tenant()).principal, size: 1 }), null],
	[
		"a file over the domain's whole day",
		async () => ({ principal: (await opened.tenant(undefined, { daily_upload_bytes: 5 })).principal, size: 6 }),
		"upload_quota_exceeded",
	],
	[
		"a file over the installation's whole day",
		async () => ({ principal: (await opened.tenant()).principal, size: 401 }),
		"upload_quota_exceeded",
	],
	[
		"a file over the rest of the day",
		async () => {
			const { principal } = await opened.tenant(undefined, { daily_upload_bytes: 5 });
			await opened.engine.videos.create(principal, { ...clip, file_size: 3 });
			return { principal, size: 3 };
		},
		"upload_quota_exceeded",
	],
	[
		"a file over the storage that is left",
		async () => ({ principal: (await opened.tenant(undefined, { storage_bytes_limit: 5 })).principal, size: 6 }),
		"storage_quota_exceeded",
	],
	["a visitor's file that has room", async () => ({ principal: await session(), size: 1 }), null],
	[
		"a visitor's file over the sandbox's quarter of the installation's day",
		async () => ({ principal: await session(), size: 101 }),
		"upload_quota_exceeded",
	],
	[
		"a visitor's file over what is left of that quarter",
		async () => {
			await begun();
			await opened.engine.videos.create(await session(), { ...clip, file_size: 60 });
			await begun();
			return { principal: await session(), size: 60 };
		},
		"upload_quota_exceeded",
	],
	[
		"a visitor's file over the tenth of that quarter that may wait for its first byte",
		async () => {
			await opened.engine.videos.create(await session(), { ...clip, file_size: 6 });
			return { principal: await session(), size: 5 };
		},
		"upload_quota_exceeded",
	],
	[
		"the sixth video of a session",
		async () => {
			await begun();
			const principal = await session();
			for (let count = 0; count < 5; count++) await opened.engine.videos.create(principal, { ...clip, file_size: 1 });
			return { principal, size: 1 };
		},
		"upload_quota_exceeded",
	],
])("of %s is the initiate's answer", async (_, prepare, code) => {
	const { principal, size } = await prepare();
	const { verdict, answer } = await verdicts(principal, size);
	expect(verdict).toEqual(answer);
	expect(verdict?.code ?? null).toBe(code);
});
