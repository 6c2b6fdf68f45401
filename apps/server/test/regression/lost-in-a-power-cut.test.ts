import { randomUUID } from "node:crypto";
import { link, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MountedImage, mountImage, openDiskImage } from "@reelmill/fault-disk";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepMasterKey, keepPrivateFile, openDataDirectory } from "../../src/data-directory/data-directory.ts";

const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)("what a server was started with is there after a power cut", () => {
	let parent: string;
	let disk: MountedImage;
	beforeAll(async () => {
		parent = await mkdtemp(join(tmpdir(), "reelmill-server-cut-"));
		disk = await openDiskImage({ directory: join(parent, "disk"), megabytes: 256 });
	});
	afterAll(async () => {
		await disk?.unmount();
		await rm(parent, { recursive: true, force: true });
	});
	async function afterACut(path: string): Promise<string | null> {
		await disk.copyTo(join(parent, "copy.img"));
		const copy = await mountImage(join(parent, "copy.img"), join(parent, "copy"));
		const text = await readFile(join(copy.directory, path), "utf8").catch(() => null);
		await copy.unmount();
		return text?.trim() ?? null;
	}

	it("a key that was just made, and the directories above it", async () => {
		const directory = join(disk.directory, "new", "data");
		await openDataDirectory(directory);
		const key = await keepMasterKey(directory);
		expect(await afterACut("new/data/master.key")).toBe(Buffer.from(key).toString("base64"));
	});

	it("a key that a server made which was killed before the key's name was synced", async () => {
		const draft = join(disk.directory, randomUUID());
		const file = await open(draft, "wx");
		await file.writeFile("the text\n");
		await file.sync();
		await file.close();
		await link(draft, join(disk.directory, "some.key"));
		await rm(draft);
		const make = () => Promise.reject(new Error("there is one"));
		expect(await keepPrivateFile(disk.directory, "some.key", make)).toBe("the text");
		expect(await afterACut("some.key")).toBe("the text");
	});

	it("the embedded database and its password", async () => {
		const postgres = await startEmbeddedPostgres({ directory: join(disk.directory, "postgres") });
		try {
			expect(await afterACut("postgres/password")).toBe(new URL(postgres.url).password);
			expect(await afterACut("postgres/data/PG_VERSION")).toBe("18");
		} finally {
			await postgres.stop();
		}
	});
});
