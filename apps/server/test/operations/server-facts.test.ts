import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { createServerFacts } from "../../src/operations/server-facts.ts";

const secrets = {
	REELMILL_MASTER_KEY: "5e".repeat(32),
	REELMILL_MASTER_KEY_PREVIOUS: "6f".repeat(32),
	REELMILL_ADMIN_KEY: "secret-of-the-operator-".repeat(2),
	REELMILL_DATABASE_URL: "postgres://mill:secret-of-the-database@db/mill",
};

it("the settings in force tell what is set, and no secret", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-facts-"));
	const baseUrl = "http://127.0.0.1:4711";
	const config = { ...readConfig({ ...secrets, REELMILL_DATA_DIR: directory, REELMILL_PORT: "0" }), baseUrl };
	const { settings, disk } = await createServerFacts(config)();
	const text = JSON.stringify(settings);
	for (const [name, secret] of Object.entries(secrets)) {
		expect(text).not.toContain(secret);
		expect(settings.find((setting) => setting.name === name)).toMatchObject({ value: null, is_set: true });
	}
	expect(settings).toContainEqual(expect.objectContaining({ name: "REELMILL_PORT", value: "0", is_set: true }));
	expect(settings).toContainEqual(expect.objectContaining({ name: "REELMILL_SANDBOX", value: "on", is_set: false }));
	// The address is worked out, and no words about it stand in its place; nor do they for what has no value.
	expect(settings).toContainEqual(
		expect.objectContaining({ name: "REELMILL_BASE_URL", value: baseUrl, is_set: false }),
	);
	expect(settings).toContainEqual(
		expect.objectContaining({ name: "REELMILL_OPS_PORT", value: null, default: "not served" }),
	);
	expect(settings.filter(({ value }) => value?.includes(" ") || value === "none")).toEqual([]);
	const named = settings.filter(
		({ name }) => /KEY|SECRET|PASSWORD|TOKEN/.test(name) && !/_(?:LOST|ALGORITHM)$/.test(name),
	);
	expect(named.filter(({ is_secret }) => !is_secret)).toEqual([]);
	expect(disk).toMatchObject({ takes_writes: true });
	expect(disk?.total_bytes).toBeGreaterThan(0);
	await rm(directory, { recursive: true });
	expect((await createServerFacts(config)()).disk).toBeNull();
});
