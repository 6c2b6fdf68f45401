import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { transfer } from "../../packages/client/src/transfer.ts";
import type { StartedConsole } from "../../packages/console/test/support/start-console.ts";
import { nobodysWebhookSecret } from "../../packages/contracts/src/openapi/nobodys-secret.ts";
import { root } from "../setup/paths.mjs";

/** What an endpoint of a tenant that refuses each third event says. */
export async function startReceiver(): Promise<{ url: string; close(): void }> {
	let asked = 0;
	const server = createServer((request, response) => {
		request.resume();
		const isRefused = ++asked % 3 === 0;
		response
			.writeHead(isRefused ? 503 : 200, { "content-type": "text/plain" })
			.end(isRefused ? "The queue is full." : "ok");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/reelmill`, close: () => server.close() };
}

/** Gives the domain "default" a webhook, a month of usage, and videos. Resolves to the id of the first video. */
export async function fill(console_: StartedConsole, receiver: string): Promise<string> {
	const { tenant, database } = console_;
	await tenant.call("updateDomainConfig", {
		body: { webhook_url: receiver, webhook_secret: nobodysWebhookSecret },
	});
	const { id: domainId } = await tenant.call("getDomain", {});
	await database.query({ text: month, values: [domainId] });
	const clip = await readFile(join(root, "examples/demo/assets/clip.mp4"));
	const first = await upload(console_, clip, "lecture-4");
	for (const reference of ["user-17/clip", "lecture-5", "lecture-6"]) await upload(console_, clip, reference);
	await upload(console_, Buffer.from("This is no video at all.".repeat(2000)), "holiday.mov");
	await tenant.call("createVideo", {
		body: { content_type: "video/mp4", file_size: 104_857_600, external_ref: "lecture-7", uploader_ref: "user-97" },
	});
	await waitUntil(async () => (await tenant.call("getVideo", { params: { id: first } })).state === "available");
	return first;
}

/** Resolves once nothing waits for a worker any more. */
export const finished = ({ tenant }: StartedConsole): Promise<void> =>
	waitUntil(async () => {
		const { data } = await tenant.call("listVideos", { query: { limit: 100 } });
		return data.every(({ state }) => ["available", "failed", "pending_upload"].includes(state));
	});

const month = `insert into reelmill.usage_days (domain_id, day, uploaded_bytes, encoded_seconds, uploads, available, failures, storage_bytes)
	select $1::uuid, current_date - n, (2.1 + sin(n * 0.9) + n % 7 * 0.22) * 1e9, (95 + 40 * sin(n * 0.7) + n % 5 * 9) * 60,
		42 + (16 * sin(n * 0.9))::int + n % 7 * 4, 40 + (15 * sin(n * 0.9))::int, case when n % 9 = 4 then 3 else n % 4 / 3 end, (64 - n * 1.6) * 1e9
	from generate_series(1, 30) n`;

async function upload({ tenant }: StartedConsole, bytes: Uint8Array<ArrayBuffer>, reference: string): Promise<string> {
	const { video, upload: ticket } = await tenant.call("createVideo", {
		body: {
			content_type: "video/mp4",
			file_size: bytes.length,
			external_ref: reference,
			uploader_ref: `user-${reference.length}${reference.at(-1)}`,
		},
	});
	await transfer({ source: new Blob([bytes]), size: bytes.length, ticket });
	return video.id;
}

async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
	while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 500));
}
