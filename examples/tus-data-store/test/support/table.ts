import { readFileSync } from "node:fs";
import type { Case, Opened } from "@reelmill/conformance";
import { describe, expect, it } from "vitest";

type Store = "FileStore" | "S3Store";
type Row = { readonly name: string } & Readonly<Record<Store, string>>;

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const said = "(yes|no|\\*\\*no, loses bytes\\*\\*|not offered|not tried)";

/** The rows of README.md's table of promises. */
export const rows: readonly Row[] = [
	...readme.matchAll(new RegExp(`^\\| (.+) \\| ${said} \\| ${said} \\|$`, "gm")),
].map(([, name = "", FileStore = "", S3Store = ""]) => ({ name, FileStore, S3Store }));

/** The capabilities that no DataStore has: their cases aren't run. */
export const notOffered: readonly string[] = ["presign", "survey"];

/** Registers a test for each case: it holds, or fails, as README.md's table says. */
export function comparesWithTable<Subject>(
	store: Store,
	cases: readonly Case<Subject>[],
	open: () => Promise<Opened<Subject>>,
): void {
	describe(`${store} as README.md says`, () => {
		for (const { name, needs, run } of cases) {
			const holds = rows.find((row) => row.name === name)?.[store];
			if (notOffered.includes(needs ?? "")) continue;
			it(`${name}: ${holds}`, async () => {
				const { subject, close } = await open();
				try {
					const failure = await run(subject).catch((error: unknown) => error ?? "failed");
					if (holds === "yes" && failure) throw failure;
					expect(failure ? ["no", "**no, loses bytes**"] : ["yes"], String(failure)).toContain(holds);
				} finally {
					await close();
				}
			});
		}
	});
}
