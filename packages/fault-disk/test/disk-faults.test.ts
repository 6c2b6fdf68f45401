import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DiskFaults, mountImage, openDiskFaults, openDiskImage, openMemoryGroup } from "../src/index.ts";

const writerPath = fileURLToPath(new URL("./support/writer.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
let directory: string;
let faults: DiskFaults;

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-fault-disk-test-"));
	faults = await openDiskFaults();
});
afterAll(async () => {
	await faults?.close();
	await rm(directory, { recursive: true, force: true });
});

type Answer = { readonly code: string; readonly milliseconds: number };
const startWriter = (path: string): ChildProcess =>
	fork(writerPath, [path], { env: { ...process.env, ...faults.environment } });
async function tell(writer: ChildProcess, call: "write" | "sync"): Promise<Answer> {
	writer.send(call);
	const [answer] = await once(writer, "message");
	return answer as Answer;
}
/** Rules are read every 20 ms. */
const use = async (rules: Parameters<DiskFaults["use"]>[0]) => {
	await faults.use(rules);
	await new Promise((resolve) => setTimeout(resolve, 30));
};

test("calls below a path fail with the code, others don't", async () => {
	const [broken, sound] = [startWriter(join(directory, "broken")), startWriter(join(directory, "sound"))];
	await use([
		{ call: "sync", path: join(directory, "broken"), effect: { kind: "fail", code: "EIO" } },
		{ call: "write", path: join(directory, "broken"), effect: { kind: "fail", code: "ENOSPC" } },
	]);
	expect([(await tell(broken, "write")).code, (await tell(broken, "sync")).code]).toEqual(["ENOSPC", "EIO"]);
	expect([(await tell(sound, "write")).code, (await tell(sound, "sync")).code]).toEqual(["ok", "ok"]);
	await use([]);
	expect([(await tell(broken, "write")).code, (await tell(broken, "sync")).code]).toEqual(["ok", "ok"]);
	for (const writer of [broken, sound]) writer.kill();
});

test("a call that hangs ends when its time is over, or the rule is gone", async () => {
	const writer = startWriter(join(directory, "slow"));
	await tell(writer, "write");
	await use([{ call: "sync", path: directory, effect: { kind: "delay", milliseconds: 300 } }]);
	expect((await tell(writer, "sync")).milliseconds).toBeGreaterThanOrEqual(290);
	await use([{ call: "sync", path: directory, effect: { kind: "delay", milliseconds: 600_000 } }]);
	const hanging = tell(writer, "sync");
	await use([]);
	expect((await hanging).code).toBe("ok");
	writer.kill();
});

test.runIf(isRoot)("a power cut keeps what was synced and loses what was not, or what a sync lost", async () => {
	const image = await openDiskImage({ directory: join(directory, "disk"), megabytes: 16 });
	const writers = ["synced", "written", "lost"].map((name) => startWriter(join(image.directory, name))) as [
		ChildProcess,
		ChildProcess,
		ChildProcess,
	];
	for (const writer of writers) await tell(writer, "write");
	await use([{ call: "sync", path: join(image.directory, "lost"), effect: { kind: "lose" } }]);
	expect((await tell(writers[2], "sync")).code).toBe("EIO");
	await use([]);
	expect((await tell(writers[2], "sync")).code).toBe("ok");
	await tell(writers[0], "sync");
	await image.copyTo(join(directory, "copy.img"));
	const copy = await mountImage(join(directory, "copy.img"), join(directory, "copy"));
	const bytesOf = async (name: string) => {
		const bytes = await readFile(join(copy.directory, name)).catch(() => Buffer.alloc(0));
		return bytes.filter((byte) => byte === 7).length;
	};
	expect([await bytesOf("synced"), await bytesOf("written"), await bytesOf("lost")]).toEqual([100_000, 0, 0]);
	expect((await stat(join(image.directory, "written"))).size).toBe(100_000);
	for (const writer of writers) writer.kill();
	await copy.unmount();
	await image.unmount();
});

test.runIf(isRoot)("the kernel kills who wants more memory than its group may have", async () => {
	const group = await openMemoryGroup("test", 150_000_000);
	const writer = startWriter(join(directory, "eater"));
	await tell(writer, "write");
	await group.add(writer.pid as number);
	writer.send("eat");
	const [, signal] = await once(writer, "exit");
	expect(signal).toBe("SIGKILL");
	expect(await group.kills()).toBe(1);
	await group.close();
});
