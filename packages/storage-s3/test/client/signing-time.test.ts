import { createBucketOpener } from "@reelmill/storage-s3";
import { afterEach, expect, it, vi } from "vitest";
import { chunks } from "../support/bytes.ts";
import { patience } from "../support/patience.ts";
import { openScriptedServer } from "../support/scripted-server.ts";

const [minute, hour] = [60_000, 3_600_000];
const realNow = Date.now;
afterEach(() => vi.restoreAllMocks());

/** Only the machine's clock is wrong. The time that Node writes into answers isn't. */
const setMachine = (ahead: number) => vi.spyOn(Date, "now").mockImplementation(() => realNow() + ahead);
const momentOf = (stamp: string) =>
	Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
const distance = (stamp: string, ahead = 0) => Math.abs(momentOf(stamp) - realNow() - ahead);

/** Starts a server that refuses, like S3, what was signed more than 15 minutes from its own time. */
async function openStrict() {
	const signed: string[] = [];
	const server = { ahead: 0 };
	const scripted = await openScriptedServer(async (request, response) => {
		await request.toArray();
		const stamp = String(request.headers["x-amz-date"]);
		signed.push(stamp);
		response.setHeader("date", new Date(realNow() + server.ahead).toUTCString());
		if (distance(stamp, server.ahead) > 15 * minute)
			response.writeHead(403).end("<Error><Code>RequestTimeTooSkewed</Code></Error>");
		else response.writeHead(200, { "content-length": "0", etag: '"e"' }).end();
	});
	const stores = createBucketOpener({ allow: [], ...patience }).open(scripted.bucket, { now: realNow });
	return {
		server,
		signed,
		ask: () => stores.outputs.put("a", chunks(Buffer.from("a"))),
		presigned: async () =>
			new URL(await stores.outputs.presign("a", { method: "GET", seconds: 60 })).searchParams.get("X-Amz-Date") ?? "",
		async close() {
			await stores.close();
			await scripted.close();
		},
	};
}

it("signs requests and URLs by the clock it was given, however the machine's is set between them", async () => {
	const bucket = await openStrict();
	for (const ahead of [0, hour, -hour, 100_000, 0, -20 * minute]) {
		setMachine(ahead);
		await bucket.ask();
		expect(distance(await bucket.presigned())).toBeLessThan(5000);
	}
	for (const stamp of bucket.signed) expect(distance(stamp)).toBeLessThan(30_000);
	expect(bucket.signed).toHaveLength(6);
	await bucket.close();
});

it("signs by the server's own time where that is another, after it has said so", async () => {
	const bucket = await openStrict();
	bucket.server.ahead = hour;
	await bucket.ask();
	expect(distance(await bucket.presigned(), hour)).toBeLessThan(5000);
	setMachine(-hour);
	await bucket.ask();
	expect(distance(bucket.signed.at(-1) ?? "", hour)).toBeLessThan(5000);
	expect(bucket.signed).toHaveLength(3);
	await bucket.close();
});

it("gives the reason where the server refuses the time", async () => {
	const bucket = await openStrict();
	bucket.server.ahead = hour;
	// The machine's clock agrees with the server's, and the service's clock is wrong: the SDK sees no reason to try
	// again.
	setMachine(hour);
	await expect(bucket.ask()).rejects.toMatchObject({
		fault: "credentials",
		message: "The clocks of the service and of the server are too far apart (HTTP 403)",
	});
	await bucket.ask();
	await bucket.close();
});
