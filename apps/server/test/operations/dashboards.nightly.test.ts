import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { createReelmillAdmin } from "@reelmill/node";
import { startTestServer, type TestServer } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { type RunningProcess, runServer } from "../support/running-server.ts";
import { startTranscoder } from "../support/transcoder.ts";

const adminKey = "an-operators-key-of-32-characters-or-more";
const root = new URL("../../../../", import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), "utf8");

let directory: string;
let database: TestServer;
let server: RunningProcess;
let transcoder: Awaited<ReturnType<typeof startTranscoder>>;
/** The labels that each metric has in the scrapes of a server and a transcoder. */
const scraped = new Map<string, Set<string>>();

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-dashboards-"));
	database = await startTestServer();
	server = await runServer(join(directory, "data"), database.url, { ADMIN_KEY: adminKey });
	const admin = createReelmillAdmin({ baseUrl: server.url, adminKey });
	const { secret } = await admin.serviceAccounts.create({ name: "transcoder" });
	transcoder = await startTranscoder({
		API_URL: server.url,
		SERVICE_NAME: "transcoder",
		SERVICE_SECRET: secret,
		WORKDIR: join(directory, "work"),
		OPS_PORT: "0",
	});
	const ready = async () => expect((await fetch(`${transcoder.operations}/ready`)).status).toBe(200);
	await vi.waitFor(ready, { timeout: 120_000 });
	await fetch(`${server.url}/v1/domain`, { headers: server.auth });
	for (const address of [server.operations, transcoder.operations]) {
		for (const line of (await (await fetch(`${address}/metrics`)).text()).split("\n")) {
			const [, name, labels = ""] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
			if (name === undefined) continue;
			const known = scraped.get(name) ?? new Set(["instance", "job"]);
			for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label as string);
			scraped.set(name, known);
		}
	}
	scraped.set("up", new Set(["instance", "job"]));
});
afterAll(async () => {
	transcoder?.child.kill("SIGTERM");
	server?.child.kill("SIGTERM");
	await Promise.all([transcoder?.ended, server?.ended]);
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

/** The metrics and the labels that an expression names, and whether it can't be read. */
function namesOf(expression: string) {
	const [metrics, labels, faults]: [string[], string[], string[]] = [[], [], []];
	parser.parse(expression).iterate({
		enter(node) {
			const text = expression.slice(node.from, node.to);
			if (node.type.isError) faults.push(expression);
			if (node.name === "Identifier") metrics.push(text);
			if (node.name === "LabelName") labels.push(text);
		},
	});
	return { metrics, labels, faults };
}

/** What of an expression nobody serves. */
function missingIn(expression: string): string[] {
	const { metrics, labels, faults } = namesOf(expression);
	const served = new Set(metrics.flatMap((metric) => [...(scraped.get(metric) ?? [])]));
	return [
		...faults.map(() => "can't be read"),
		...(metrics.length === 0 ? ["names no metric"] : []),
		...metrics.filter((metric) => !scraped.has(metric)),
		...labels.filter((label) => !served.has(label)),
	].map((fault) => `${expression}: ${fault}`);
}

type Rule = { alert: string; expr: string; annotations: { summary: string; runbook: string } };
const rules = async (): Promise<Rule[]> =>
	parse(await read("deploy/prometheus/reelmill.rules.yml")).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);

describe("what is deployed to watch it", () => {
	it("names only metrics and labels that a server and a transcoder serve: the alerts", async () => {
		const all = await rules();
		expect(all.length).toBeGreaterThan(10);
		expect(all.flatMap(({ expr }) => missingIn(expr))).toEqual([]);
	});

	it("names only metrics and labels that a server and a transcoder serve: the dashboard", async () => {
		const { panels } = JSON.parse(await read("deploy/grafana/reelmill.json"));
		const targets = panels.flatMap(({ targets }: { targets: { expr: string; legendFormat: string }[] }) => targets);
		expect(targets.length).toBeGreaterThan(20);
		expect(targets.flatMap(({ expr }: { expr: string }) => missingIn(expr))).toEqual([]);
		for (const { expr, legendFormat } of targets) {
			const wanted = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
			const served = namesOf(expr).metrics.flatMap((metric) => [...(scraped.get(metric) ?? [])]);
			expect([expr, wanted.filter((label: string) => !served.includes(label))]).toEqual([expr, []]);
		}
	});

	it("would notice a metric, a label and a form that are none", () => {
		expect(missingIn("max(reelmill_jobs_wait)")).toEqual(["max(reelmill_jobs_wait): reelmill_jobs_wait"]);
		expect(missingIn("sum by (plan) (reelmill_jobs_waiting)")).toEqual(["sum by (plan) (reelmill_jobs_waiting): plan"]);
		expect(missingIn('reelmill_videos{status="queued"}')).toEqual(['reelmill_videos{status="queued"}: status']);
		expect(missingIn("sum(reelmill_videos")).toContain("sum(reelmill_videos: can't be read");
	});

	it("leads from each alert to its section of the guide to incidents", async () => {
		const guide = await read("docs/guides/incidents.md");
		const sections = [...guide.matchAll(/^## (.*)$/gm)].map(([, title = ""]) =>
			title
				.toLowerCase()
				.replaceAll(/[^\w -]/g, "")
				.replaceAll(" ", "-"),
		);
		for (const { alert, annotations } of await rules()) {
			const [path, section] = annotations.runbook.split("#");
			expect([alert, path, sections.includes(section ?? "")]).toEqual([alert, "docs/guides/incidents.md", true]);
			expect(guide).toContain(`\`${alert}\``);
		}
	});

	it("shows a transcoder's health, and that one is not ready while it stops", async () => {
		expect(await (await fetch(`${transcoder.operations}/health`)).json()).toEqual({ status: "ok" });
		expect(await (await fetch(`${transcoder.operations}/ready`)).json()).toEqual({
			status: "ok",
			checks: { claims: true, well: true },
		});
		const metrics = async () => (await fetch(`${server.operations}/metrics`)).text();
		await expect.poll(metrics).toContain('reelmill_workers{doing="idle"} 1');
		server.child.kill("SIGKILL");
		await server.ended;
		const ready = async () => (await fetch(`${transcoder.operations}/ready`)).status;
		await expect.poll(ready).toBe(503);
		expect(await (await fetch(`${transcoder.operations}/metrics`)).text()).toContain("reelmill_worker_claims 0");
		transcoder.child.kill("SIGTERM");
		expect((await once(transcoder.child, "exit"))[0]).toBe(0);
	});
});
