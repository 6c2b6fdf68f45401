import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CannotLockError, DirectoryInUseError, lockDirectory } from "@reelmill/postgres/embedded";
import { afterEach, describe, expect, it } from "vitest";
import type { Flock } from "../../src/embedded/flock.ts";
import { unseen } from "../support/namespaces.ts";
import { Undo } from "../support/undo.ts";

const undo = new Undo();
afterEach(() => undo.run());

const program = fileURLToPath(new URL("../support/locking-process.ts", import.meta.url));
async function tryElsewhere(
	directory: string,
	times: number,
	kind = "exclusive",
): Promise<{ refused: number; longest: number }> {
	const [command, ...args] = unseen([process.execPath, program, directory, String(times), kind]);
	return JSON.parse((await promisify(execFile)(command, args)).stdout);
}

it("refuses 100 of 100 that see neither the holder's processes, nor its memory, nor its network", async () => {
	const directory = await undo.directory();
	const lock = await lockDirectory(directory, "exclusive");
	const { refused, longest } = await tryElsewhere(directory, 100);
	expect(refused).toBe(100);
	expect(longest).toBeLessThan(5000);
	await lock.release();
	await lock.release();
	expect(await tryElsewhere(directory, 1)).toMatchObject({ refused: 0 });
});

it("lets sharers in beside each other, and nobody alone beside them", async () => {
	const directory = await undo.directory();
	const first = await lockDirectory(directory, "shared");
	const second = await lockDirectory(directory, "shared");
	expect(await tryElsewhere(directory, 1, "shared")).toMatchObject({ refused: 0 });
	await first.release();
	await expect(lockDirectory(directory, "exclusive")).rejects.toMatchObject({
		name: "DirectoryInUseError",
		isShared: true,
	});
	await second.release();
	const alone = await lockDirectory(directory, "exclusive");
	await expect(lockDirectory(directory, "shared")).rejects.toThrow(DirectoryInUseError);
	await alone.release();
});

describe("a file system that can't lock", () => {
	const systems: Record<string, Flock> = {
		"says so": () => "ENOLCK",
		"has no such call": () => "EOPNOTSUPP",
		"gives every lock to everybody": () => null,
	};
	for (const [what, flock] of Object.entries(systems)) {
		it(`is refused with a sentence if it ${what}`, async () => {
			const directory = await undo.directory();
			const refusal = await lockDirectory(directory, "exclusive", { flock }).catch((error: unknown) => error);
			expect(refusal).toBeInstanceOf(CannotLockError);
			expect(String(refusal)).toContain(`The file system of ${join(directory, "lock")} can't lock files`);
		});
	}
});
