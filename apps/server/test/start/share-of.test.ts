import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { connectionsOf, processesOf, shareOf } from "../../src/start/share-of.ts";

const settings = (given: Record<string, string>) =>
	readConfig(Object.fromEntries(Object.entries(given).map(([name, value]) => [`REELMILL_${name}`, value])));

it("starts one process unless the setting says otherwise, and one per core for auto", () => {
	expect(processesOf(settings({}))).toBe(1);
	expect(processesOf(settings({ PROCESSES: "3" }))).toBe(3);
	expect(processesOf(settings({ PROCESSES: "auto" }))).toBe(Math.min(64, availableParallelism()));
	for (const wrong of ["0", "65", "two", "1.5"])
		expect(() => settings({ PROCESSES: wrong })).toThrow(
			"REELMILL_PROCESSES must be auto or a whole number from 1 to 64.",
		);
});

it("shares out what the settings give to the whole server", () => {
	const given = settings({ DATABASE_CONNECTIONS: "21", DELIVERY_MEMORY_BYTES: "1000", EMBEDDED_WORKERS: "2" });
	const shares = [1, 2, 3].map((process) => shareOf(given, process, 3));
	expect(shares.map((share) => share.EMBEDDED_WORKERS)).toEqual([2, 0, 0]);
	for (const share of shares)
		expect(share).toMatchObject({ DATABASE_CONNECTIONS: 7, DELIVERY_MEMORY_BYTES: 333, PORT: given.PORT });
	expect(shareOf(given, 1, 64).DATABASE_CONNECTIONS).toBe(2);
});

it("counts connections as the guide does", async () => {
	const guide = await readFile(new URL("../../../../docs/guides/failover.md", import.meta.url), "utf8");
	const rows = [...guide.matchAll(/^\| (\d+) \| (\d+) \| (\d+) \|$/gm)].map((row) => row.slice(1).map(Number));
	expect(rows.length).toBeGreaterThan(2);
	for (const [servers = 0, processes = 0, connections] of rows)
		expect(servers * connectionsOf(settings({}), processes)).toBe(connections);
	expect(guide).toContain("+ 2 connections for each process");
});
