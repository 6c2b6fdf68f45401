import { systemClock } from "@reelmill/engine";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FailingDatabase, type Fault, failingDatabase } from "../../../engine/test/statements/failing-database.ts";
import { initiate, openService, type Service } from "../support/open-service.ts";
import type { Answer } from "../support/send.ts";
import { tusFor } from "../support/tus.ts";

let service: Service;
let database: FailingDatabase;
beforeAll(async () => {
	service = await openService({}, (made) => {
		database = failingDatabase(made.database);
		return { database, clock: systemClock };
	});
});
afterAll(() => service.close());

/** Uploads ten bytes as a tus client does, which repeats what was answered 503. Returns what it was told so. */
async function upload(fault?: Fault): Promise<{ told: Answer[]; state: string; texts: string[] }> {
	const tenant = await service.tenant();
	const created = await initiate(service, tenant.auth);
	const tus = tusFor(service.url, created);
	const told: Answer[] = [];
	const again = async (ask: () => Promise<Answer>): Promise<Answer> => {
		for (let attempt = 1; ; attempt++) {
			const answer = await ask();
			if (answer.status !== 503 || attempt === 3) return answer;
			told.push(answer);
		}
	};
	database.watch(fault);
	await again(() => tus.create());
	for (const end of [5, 10]) {
		const { status, headers } = await again(() => tus.head());
		if (status === 409) break;
		const offset = Number(headers["upload-offset"]);
		await again(() => tus.patch(offset, "0123456789".slice(offset, end)));
	}
	const texts = [...database.sent.keys()];
	database.watch();
	const [row] = await service.database.query<{ state: string }>({
		text: "select state from reelmill.videos where id = $1",
		values: [tus.id],
	});
	return { told, state: row?.state ?? "", texts };
}

it("says of a statement that fails what is so, and takes the repeated request", async () => {
	const { texts, ...usual } = await upload();
	expect(usual).toEqual({ told: [], state: "queued" });
	const faults = texts.flatMap((text) => (["before", "after"] as const).map((when) => ({ text, nth: 0, when })));
	for (const fault of faults) {
		const { told, state } = await upload(fault);
		expect({ fault, state }).toEqual({ fault, state: expect.stringMatching(/uploaded|queued/) });
		for (const { status, headers, json } of told) {
			expect({ fault, status, retry: headers["retry-after"] }).toEqual({ fault, status: 503, retry: "5" });
			if (json !== undefined && json !== null) expect({ fault, ...json }).toMatchObject({ error: "internal_error" });
		}
	}
	expect(texts.some((text) => text.includes("upload_leases"))).toBe(true);
	await expect
		.poll(() => service.database.query({ text: "select from reelmill.upload_leases", values: [] }))
		.toHaveLength(0);
});
