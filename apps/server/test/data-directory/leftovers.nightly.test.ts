import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runServer } from "../support/running-server.ts";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-leftovers-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it("leaves nothing of an archive on the disk when its server is killed in the middle of it", async () => {
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	const adminKey = "the-operators-key-of-the-leftovers-test";
	const server = await runServer(directory, database.url, { ADMIN_KEY: adminKey });
	try {
		const before = await readdir(directory);
		const post = async (path: string, body: object, headers = {}) =>
			(
				await fetch(server.url + path, {
					method: "POST",
					headers: { ...headers, "content-type": "application/json" },
					body: JSON.stringify(body),
				})
			).json();
		const { secret } = (await post(
			"/admin/v1/service-accounts",
			{ name: "w" },
			{ authorization: `Bearer ${adminKey}` },
		)) as { secret: string };
		const { token } = (await post("/internal/v1/token", { name: "w", secret })) as { token: string };
		const put = request(`${server.url}/internal/v1/jobs/${randomUUID()}/outputs?lock=${randomUUID()}`, {
			method: "PUT",
			headers: { authorization: `Bearer ${token}`, "content-type": "application/zip", "content-length": "9000000" },
		});
		put.on("error", () => undefined);
		put.write(randomBytes(8_000_000));
		const open = async () => {
			const fds = `/proc/${server.child.pid}/fd`;
			return Promise.all((await readdir(fds)).map((fd) => readlink(join(fds, fd)).catch(() => "")));
		};
		await expect.poll(open).toContainEqual(expect.stringContaining("reelmill-outputs-"));
		server.child.kill("SIGKILL");
		if (server.child.signalCode === null) await once(server.child, "exit");
		expect((await readdir(directory)).toSorted()).toEqual(before.toSorted());
	} finally {
		server.child.kill("SIGKILL");
		await server.ended;
		await database.close();
	}
});
