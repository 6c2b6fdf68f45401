import { createFakeClock } from "@reelmill/engine/testing";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { Row } from "../../src/ports/index.ts";
import { createLookup } from "../../src/videos/lookup.ts";
import { readShown } from "../../src/videos/record.ts";
import { createFileUrl, viewShown } from "../../src/videos/view.ts";

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** A database that knows every video, and answers only when it is told to. */
function openGated() {
	const statements: { readonly ids: readonly string[]; answer(): void; fail(error: Error): void }[] = [];
	let [running, most] = [0, 0];
	const query = <R extends Row>({ values }: { readonly values: readonly unknown[] }): Promise<R[]> => {
		const ids = values.find(Array.isArray) as string[];
		most = Math.max(most, ++running);
		return new Promise<R[]>((resolve, reject) => {
			statements.push({
				ids,
				answer: () => resolve(ids.map((id) => ({ id }) as unknown as R)),
				fail: reject,
			});
		}).finally(() => running--);
	};
	const database = { query, migrate: async () => {} };
	return {
		statements,
		mostAtOnce: () => most,
		look: createLookup({ database, clock: createFakeClock() }, sql`select v.id from reelmill.videos v`),
	};
}

it("lookups of those who got an answer join the ones that waited, in one statement", async () => {
	const { statements, mostAtOnce, look } = openGated();
	const again: Promise<unknown>[] = [];
	const first = [1, 2, 3].map((number) => look(idOf(number)).then(() => void again.push(look(idOf(number)))));
	await expect.poll(() => statements.length).toBe(1);
	const waiting = [4, 5].map((number) => look(idOf(number)));
	statements[0]?.answer();
	await Promise.all(first);
	await expect.poll(() => statements.length).toBe(2);
	expect(statements.map(({ ids }) => ids.length)).toEqual([3, 5]);
	statements[1]?.answer();
	expect(await Promise.all(waiting)).toEqual([4, 5].map((number) => ({ id: idOf(number) })));
	await Promise.all(again);
	expect(mostAtOnce()).toBe(1);
});

it("lookups after a statement that failed get a statement of their own", async () => {
	const { statements, mostAtOnce, look } = openGated();
	const failed = look(idOf(1)).catch((error: Error) => error.message);
	await expect.poll(() => statements.length).toBe(1);
	const waiting = look(idOf(2));
	statements[0]?.fail(new Error("lost"));
	expect(await failed).toBe("lost");
	await expect.poll(() => statements.length).toBe(2);
	statements[1]?.answer();
	expect(await waiting).toEqual({ id: idOf(2) });
	expect(mostAtOnce()).toBe(1);
});

it("times have milliseconds, however many zeros PostgreSQL left out of them", () => {
	const fileUrl = createFileUrl({ baseUrl: "https://video.test", locations: [] });
	const written = ["12:00:00", "12:00:00.1", "12:00:00.12", "12:00:00.123", "12:00:00.123456"];
	const shown = written.map((time) => {
		const at = `2026-01-31T${time}`;
		const row = { state: "pending_upload", files: [], created_at: at, updated_at: at, expires_at: at };
		const { created_at, expires_at, uploaded_at } = viewShown(
			readShown({ shown: JSON.stringify({ ...row, uploaded_at: null, available_at: null, outputs: null }) }),
			fileUrl,
		);
		expect([expires_at, uploaded_at]).toEqual([created_at, null]);
		return created_at;
	});
	expect(shown).toEqual(["000", "100", "120", "123", "123"].map((part) => `2026-01-31T12:00:00.${part}Z`));
});
