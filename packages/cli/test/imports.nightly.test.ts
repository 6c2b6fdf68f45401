import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Import } from "@reelmill/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clipOf, file, type Origin, openOrigin } from "../../engine/test/imports/origin.ts";
import { openService, type Service } from "../../http/test/support/open-service.ts";
import { createImportSource } from "../../outbound/src/index.ts";
import { documents, inProcess } from "./support/reelmill.ts";

const source = createImportSource({ allow: ["127.0.0.1/32"] });
const clip = clipOf(100_000);
let service: Service;
let origin: Origin;
let directory = "";
beforeAll(async () => {
	service = await openService({}, () => ({ importSource: source, importsAtOnce: 4 }));
	origin = await openOrigin();
	directory = await mkdtemp(join(tmpdir(), "reelmill-imports-"));
});
afterAll(async () => {
	await service.close();
	await Promise.all([origin.close(), source.close(), rm(directory, { recursive: true })]);
});

async function tenant() {
	const { apiKey } = await service.tenant();
	const environment = { REELMILL_URL: service.url, REELMILL_API_KEY: apiKey };
	return (...args: string[]) => inProcess(environment, "imports", ...args);
}
const one = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Import;

it("creates, follows, shows, lists and cancels imports, and says why one failed", async () => {
	const imports = await tenant();
	const at = origin.serve("/a.mp4", file(clip));
	const created = one(await imports("create", `${at}?signature=1`, "--external-ref", "a", "--public", "--json"));
	expect(created).toMatchObject({ status: "waiting", url: at });
	const other = one(await imports("create", at, "--size", "7", "--json"));
	expect(await imports("cancel", other.id)).toMatchObject({ code: 0, stdout: `Import ${other.id} has ended.\n` });
	await service.engine.sweep();
	expect(one(await imports("show", created.id, "--json"))).toMatchObject({ status: "done", bytes_received: 100_000 });
	expect(one(await imports("get", other.id, "--json"))).toMatchObject({ status: "cancelled" });
	const { stdout } = await imports("list", "--status", "done", "--json");
	expect(documents<Import>(stdout).map(({ id }) => id)).toEqual([created.id]);

	const page = origin.serve("/page", file(Buffer.from("<html>".padEnd(1000)), { type: "text/html" }));
	const following = [imports("create", at, "--follow", "--json"), imports("create", page, "--follow", "--json")];
	await expect
		.poll(async () => {
			await service.engine.sweep();
			return documents<Import>((await imports("list", "--json")).stdout).filter(({ status }) => status === "waiting");
		})
		.toEqual([]);
	const [good, bad] = await Promise.all(following);
	expect([good?.code, bad?.code]).toEqual([0, 1]);
	expect(one(bad ?? { stdout: "" })).toMatchObject({ status: "failed", failure: { code: "invalid_content_type" } });
});

it("creates each line of a list once, however often the list is given", async () => {
	const imports = await tenant();
	const list = join(directory, "list.jsonl");
	const line = (name: string) => JSON.stringify({ url: origin.serve(`/${name}.mp4`, file(clip)), external_ref: name });
	await writeFile(list, `\ufeff${line("a")}\n\n${line("b")}\n`);
	const first = documents<Import>((await imports("create", "--list", list, "--json")).stdout);
	const again = documents<Import>((await imports("create", "--list", list, "--json")).stdout);
	expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
	expect(first).toHaveLength(2);
	await writeFile(list, `${line("c")}\nhttps://files.example/a.mp4\n`);
	expect(await imports("create", "--list", list)).toMatchObject({ code: 2, stderr: expect.stringContaining("Line 2") });
	expect(await imports("create")).toMatchObject({ code: 2 });
	expect(documents<Import>((await imports("list", "--json")).stdout)).toHaveLength(2);
});
