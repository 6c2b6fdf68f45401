import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CreatedVideo } from "@reelmill/contracts";
import { createPostgresDatabase } from "@reelmill/postgres";
import { startTestCluster, type TestCluster } from "@reelmill/postgres/testing";
import { afterEach, expect, it } from "vitest";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { type RunningProcess, runServer } from "./support/running-server.ts";

/**
 * Which limits the guide sets for a role, and which a connection brings: a pooler's own connections mustn't end for
 * being idle.
 */
const limitsOfBoth = `
	select array(select split_part(unnest(setconfig), '=', 1) from pg_db_role_setting order by 1) as role,
		array(select name from pg_settings where source = 'client' and name ~ 'timeout|keepalives' and name <> 'idle_session_timeout' order by 1) as connection`;

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

const guide = await readFile(new URL("../../../docs/guides/failover.md", import.meta.url), "utf8");
const blocks = [...guide.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, text = ""]) => text.trim());
const [replicate = "", follows = "", promote = "", limits = ""] = blocks;

async function sql(url: string, text: string): Promise<Record<string, unknown>[]> {
	const database = createPostgresDatabase({ url, maxConnections: 1 });
	const rows: Record<string, unknown>[] = [];
	try {
		for (const statement of text.split(";").filter((one) => one.trim()))
			rows.push(...(await database.query({ text: statement, values: [] })));
		return rows;
	} finally {
		await database.close();
	}
}

/** The URL that the guide shows, with this cluster's hosts, user and database in place of its own. */
function urlOfTheGuide({ primary, standby, url }: TestCluster): string {
	const shown = /^export REELMILL_DATABASE_URL='(.*)'$/m.exec(guide)?.[1] ?? "";
	const { username, password, pathname } = new URL(primary.url);
	expect(url).toContain(`${username}:${password}@`);
	return shown
		.replace("reelmill:secret", `${username}:${password}`)
		.replace("db1.internal:5432", `127.0.0.1:${primary.port}`)
		.replace("db2.internal:5432", `127.0.0.1:${standby.port}`)
		.replace("/reelmill?", `${pathname}?`);
}

/**
 * Tenants that begin uploads and bring them to their end, again and again; what was acknowledged, and how the others
 * were answered.
 */
function load({ url, auth }: RunningProcess) {
	const uploaded: { readonly id: string; readonly at: number }[] = [];
	const refused: { readonly status: number; readonly retryAfter: string | null }[] = [];
	let going = true;
	const upload = async (uploader: string): Promise<void> => {
		const body = JSON.stringify({ content_type: "video/mp4", file_size: 10, uploader_ref: uploader });
		const headers = { ...auth, "content-type": "application/json" };
		const created = await told(fetch(`${url}/v1/videos`, { method: "POST", headers, body }));
		if (!created) return;
		const { video, upload } = (await created.json()) as CreatedVideo;
		const creation = {
			"tus-resumable": "1.0.0",
			...offsetType,
			"upload-length": "10",
			"upload-metadata": metadata(video.id),
		};
		const sent = {
			method: "POST",
			headers: { authorization: `Bearer ${upload.token}`, ...creation },
			body: "0123456789",
		};
		if (await told(fetch(`${url}/uploads`, sent))) uploaded.push({ id: video.id, at: performance.now() });
	};
	const told = async (answer: Promise<Response>): Promise<Response | null> => {
		const response = await answer;
		if (response.ok) return response;
		refused.push({ status: response.status, retryAfter: response.headers.get("retry-after") });
		await response.body?.cancel();
		await sleep(100);
		return null;
	};
	const tenants = [1, 2].map(async (tenant) => {
		for (let n = 0; going; n++) await Promise.all([upload(`${tenant}-${n}`), sleep(50)]);
	});
	return {
		uploaded,
		refused,
		async stop() {
			going = false;
			await Promise.all(tenants);
		},
	};
}

it("goes on within seconds of a promotion by the guide, answers 503 until then, and keeps every acknowledged upload", async () => {
	const cluster = await startTestCluster({ synchronous: false });
	cleanUp.push(() => cluster.close());
	await sql(cluster.primary.url, replicate);
	await expect.poll(() => sql(cluster.primary.url, follows)).toMatchObject([{ sync_state: "quorum" }]);
	const [{ role, connection } = {}] = await sql(cluster.primary.url, `${limits} ${limitsOfBoth}`);
	expect(role).toEqual(connection);
	const directory = await mkdtemp(join(tmpdir(), "reelmill-failover-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const server = await runServer(directory, urlOfTheGuide(cluster));
	cleanUp.push(async () => {
		server.child.kill("SIGKILL");
		await server.ended;
	});
	const tenants = load(server);
	await expect.poll(() => tenants.uploaded.length).toBeGreaterThan(5);

	await cluster.stopPrimary("freeze");
	const promoted = performance.now();
	await sql(cluster.standby.url, promote);
	await expect.poll(() => tenants.uploaded.some(({ at }) => at > promoted + 200), { interval: 20 }).toBe(true);
	const served = tenants.uploaded.find(({ at }) => at > promoted + 200)?.at ?? Number.NaN;
	// 4 s of it are the limit of a request to the frozen server, which without it would wait for minutes.
	expect(served - promoted).toBeLessThan(15_000);
	// The old primary comes back, and nobody has told it.
	await cluster.startPrimary("read-only");
	const before = tenants.uploaded.length;
	await expect.poll(() => tenants.uploaded.length).toBeGreaterThan(before + 5);
	await tenants.stop();

	const rows = await sql(cluster.standby.url, "select id, state from reelmill.videos where state <> 'pending_upload'");
	const there = new Set(rows.map(({ id }) => id));
	expect(tenants.uploaded.filter(({ id }) => !there.has(id))).toEqual([]);
	expect(tenants.refused.filter(({ status, retryAfter }) => status !== 503 || !(Number(retryAfter) > 0))).toEqual([]);
	expect((await fetch(`${server.operations}/ready`)).status).toBe(200);
});

it("names the hosts that it can't reach, and no password", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-failover-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const start = runServer(directory, "postgres://user:hunter2@127.0.0.1:1,127.0.0.1:2/x");
	await expect(start).rejects.toThrow(
		/^the server ended with 1: The database at postgres:\/\/127\.0\.0\.1:1,127\.0\.0\.1:2\/x can't be reached \(.*127\.0\.0\.1:2 can't be used.*\)/,
	);
	await expect(start).rejects.not.toThrow("hunter2");
});
