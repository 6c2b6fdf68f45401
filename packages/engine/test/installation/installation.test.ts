import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	createEngine,
	type Engine,
	type EngineOptions,
	InstallationError,
	isInstallationError,
	type StorageMark,
} from "@reelmill/engine";
import { createLocalObjectStorage, createLocalStorageMark, createLocalUploadStore } from "@reelmill/storage-local";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalBuckets } from "../support/local-buckets.ts";
import { bytesOf, clip, finishJob, type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";

let opened: OpenedEngine;
let home: string;
const engines: Engine[] = [];
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), "reelmill-installation-"));
	opened = await openEngine(storageIn("one"));
});
afterEach(async () => {
	for (const engine of engines.splice(0)) await engine.stop();
	await opened.close();
	await rm(home, { recursive: true, force: true });
});

function storageIn(name: string): Pick<EngineOptions, "uploads" | "outputs" | "storageMark"> {
	const directory = join(home, name);
	return {
		uploads: createLocalUploadStore({ directory: join(directory, "uploads") }),
		outputs: createLocalObjectStorage({ directory: join(directory, "outputs") }),
		storageMark: createLocalStorageMark({ directory }),
	};
}
/** Another server of the installation. */
function server(options: Partial<EngineOptions>): Engine {
	const engine = createEngine({ ...opened.options, ...options });
	engines.push(engine);
	return engine;
}
const refusal = (engine: Engine): Promise<unknown> =>
	engine.start().then(
		() => "started",
		(error: unknown) => (isInstallationError(error) ? error.mismatch : error),
	);
const query = (text: string, ...values: unknown[]) => opened.database.query<{ n: number }>({ text, values });
const [first, second, third] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
	Uint8Array,
	Uint8Array,
	Uint8Array,
];

describe("a master key", () => {
	const inForce = async () =>
		(await query("select encode(fingerprint, 'hex') as n from reelmill.master_keys order by turn desc limit 1"))[0]?.n;

	it("is any that the first server has, and that one from then on", async () => {
		expect(await refusal(server({ masterKey: first }))).toBe("started");
		const known = await inForce();
		const error = await server({ masterKey: second })
			.start()
			.catch((error: unknown) => error);
		expect(error).toBeInstanceOf(InstallationError);
		expect(error).toMatchObject({
			mismatch: { what: "master_key", inForce: known, given: expect.stringMatching(/^[0-9a-f]{32}$/) },
		});
		expect(await refusal(server({ masterKey: second, previousMasterKeys: [third] }))).toMatchObject({
			what: "master_key",
		});
		expect(await inForce()).toBe(known);
		expect(await refusal(server({ masterKey: first, previousMasterKeys: [third] }))).toBe("started");
	});

	it("changes by the steps of the guide, and the one before is refused once it is left behind", async () => {
		const steps = [
			[first, []],
			[first, [second]],
			[second, [first]],
			[first, [second]],
			[second, [first]],
			[second, []],
		] as const;
		for (const [masterKey, previousMasterKeys] of steps)
			expect(await refusal(server({ masterKey, previousMasterKeys }))).toBe("started");
		expect(await refusal(server({ masterKey: first }))).toMatchObject({ what: "master_key" });
	});

	it("of two first servers with different ones lets one start", async () => {
		const results = await Promise.all([first, second].map((masterKey) => refusal(server({ masterKey }))));
		expect(results.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
			expect.objectContaining({ what: "master_key" }),
			"started",
		]);
	});

	it("may be replaced where it is said by its fingerprint that it is lost", async () => {
		await server({ masterKey: first }).start();
		const lost = String(await inForce());
		expect(await refusal(server({ masterKey: second, lostMasterKey: "00".repeat(16) }))).toMatchObject({
			what: "master_key",
		});
		expect(await refusal(server({ masterKey: second, lostMasterKey: lost }))).toBe("started");
		expect(await refusal(server({ masterKey: second }))).toBe("started");
		expect(await refusal(server({ masterKey: first }))).toMatchObject({ what: "master_key" });
	});
});

describe("a schema", () => {
	const note = (name: string, compatibleFrom: string | null) =>
		query(
			"insert into reelmill.schema_versions (name, release, compatible_from) values ($1, '9.8.7', $2)",
			name,
			compatibleFrom,
		);

	it("that a later version brought refuses the start, unless it says that servers like this one may go on", async () => {
		await server({}).start();
		await note("0998-marked", "0001");
		expect(await refusal(server({}))).toBe("started");
		await note("0999-later", null);
		const known = expect.stringMatching(/^\d{4}-/);
		expect(await refusal(server({}))).toEqual({ what: "schema", newest: "0999-later", release: "9.8.7", known });
		await query("update reelmill.schema_versions set compatible_from = '0998' where name = '0999-later'");
		expect(await refusal(server({}))).toMatchObject({ what: "schema", newest: "0999-later" });
	});

	it("that is new notes the version that it came with", async () => {
		await query("drop schema reelmill cascade");
		await server({ version: "4.5.6" }).start();
		expect(
			await query("select name, release, compatible_from from reelmill.schema_versions order by name limit 1"),
		).toEqual([{ name: "0001-schema", release: "4.5.6", compatible_from: null }]);
	});

	it("of before the first release is refused, and stays as it is", async () => {
		await query("drop schema reelmill cascade");
		await opened.database.migrate([{ name: "0001-foundation", text: "create table reelmill.domains (id uuid)" }]);
		expect(await refusal(server({}))).toEqual({ what: "unreleased_schema" });
		expect(await query("select to_regclass('reelmill.videos') as n")).toEqual([{ n: null }]);
	});
});

describe("a storage", () => {
	const marks = () => query("select mark as n from reelmill.local_storage");
	const unavailable = { code: "storage_unavailable" };

	it("is the installation's from its first upload on: another one is refused at the start, and the same files elsewhere are not", async () => {
		await opened.engine.start();
		expect(await marks()).toEqual([]);
		const { principal } = await opened.tenant();
		await uploadVideo(opened, principal);
		const [noted] = await marks();
		expect(await refusal(server(storageIn("other")))).toEqual({ what: "storage", noted: noted?.n, found: null });
		expect(await readdir(home)).toEqual(["one"]);
		await storageIn("other").storageMark?.keep("another");
		expect(await refusal(server(storageIn("other")))).toEqual({ what: "storage", noted: noted?.n, found: "another" });
		await writeFile(join(home, "other", "storage.id"), `${noted?.n}\n`);
		expect(await refusal(server(storageIn("other")))).toBe("started");
	});

	it("may be another one while nothing lies in the one before", async () => {
		await opened.engine.start();
		const { principal } = await opened.tenant();
		const { video } = await uploadVideo(opened, principal);
		expect(await refusal(server(storageIn("other")))).toMatchObject({ what: "storage" });
		await opened.engine.videos.delete(principal, video.id);
		expect(await refusal(server(storageIn("other")))).toBe("started");
	});

	it("that two servers have apart serves from the first one's alone: the other shows no byte of it as missing, and takes none", async () => {
		const apart = server(storageIn("apart"));
		await Promise.all([opened.engine.start(), apart.start()]);
		const { principal } = await opened.tenant();
		const created = await opened.engine.videos.create(principal, clip);
		const token = await opened.engine.uploads.authenticate(`Bearer ${created.upload.token}`);
		await opened.engine.uploads.create(token, { videoId: created.video.id, length: 10 });
		await opened.engine.uploads.append(token, created.video.id, 0, bytesOf("01234"));
		await expect(apart.uploads.status(token, created.video.id)).rejects.toMatchObject(unavailable);
		await expect(apart.uploads.append(token, created.video.id, 0, bytesOf("01234"))).rejects.toMatchObject(unavailable);
		const other = await apart.videos.create(principal, clip);
		const otherToken = await apart.uploads.authenticate(`Bearer ${other.upload.token}`);
		await expect(apart.uploads.create(otherToken, { videoId: other.video.id, length: 10 })).rejects.toMatchObject(
			unavailable,
		);
		expect(await opened.engine.uploads.status(token, created.video.id)).toMatchObject({ offset: 5 });
		const said = opened.logger.entries.filter(({ message }) =>
			message.includes("not the one that this installation's files lie in"),
		);
		expect(said.map(({ level }) => level)).toEqual(["error"]);
	});

	it("that is taken away from a running server, or is another one after a restore, is out of use within a minute, and in use again when it is back", async () => {
		const mark: StorageMark = { read: async () => (isThere ? "mine" : null), keep: async () => "mine" };
		let isThere = true;
		const engine = server({ storageMark: mark, windows: { lock: 3600 } });
		await engine.start();
		const { principal } = await opened.tenant();
		const created = await uploadVideo({ ...opened, engine }, principal);
		const job = await engine.jobs.claimById(opened.worker, created.video.id, { worker: "w" });
		const finishing = () =>
			finishJob({ ...opened, engine }, job).then(
				() => "done",
				(error: { code?: string }) => error.code,
			);
		isThere = false;
		await opened.clock.advance(60_000);
		await expect.poll(() => opened.logger.entries.filter(({ level }) => level === "error").length).toBe(1);
		expect(await finishing()).toBe("storage_unavailable");
		isThere = true;
		await opened.clock.advance(60_000);
		await expect.poll(finishing).toBe("done");
	});

	it("in buckets alone asks for no mark of the disk's", async () => {
		const buckets = createLocalBuckets(home);
		await buckets.make("bucket", { ID: "secret" });
		const tenant = await opened.tenant();
		for (const name of ["one", "two"]) {
			const engine = server({ ...storageIn(name), buckets });
			expect(await refusal(engine)).toBe("started");
			await engine.storage.put(tenant.domain.id, {
				backend: "s3_tenant",
				endpoint: "https://s3.example",
				region: "eu-1",
				bucket: "bucket",
				access_key_id: "ID",
				secret_access_key: "secret",
			});
			await uploadVideo({ ...opened, engine }, tenant.principal);
		}
		expect(await marks()).toEqual([]);
	});
});
