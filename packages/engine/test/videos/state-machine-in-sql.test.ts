import { videoStates } from "@reelmill/contracts";
import { DatabaseError, moves } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
beforeAll(async () => {
	opened = await openEngine();
});
afterAll(() => opened.close());

const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });

describe("the database's own guard of the moves", () => {
	it("lets through exactly the moves of the machine's table", async () => {
		const { principal } = await opened.tenant();
		const { video } = await opened.engine.videos.create(principal, clip);
		const allowed: string[] = [];
		for (const from of videoStates) {
			for (const to of videoStates.filter((state) => state !== from)) {
				await query("alter table reelmill.videos disable trigger videos_move");
				await query("update reelmill.videos set state = $2 where id = $1", video.id, from);
				await query("alter table reelmill.videos enable trigger videos_move");
				const moved = await query("update reelmill.videos set state = $2 where id = $1", video.id, to).then(
					() => true,
					(error: unknown) => {
						expect(error).toBeInstanceOf(DatabaseError);
						return false;
					},
				);
				if (moved) allowed.push(`${from} ${to}`);
			}
		}
		const table = Object.entries(moves).flatMap(([from, row]) =>
			[...new Set(Object.values(row))].map((to) => `${from} ${to}`),
		);
		expect(allowed.sort()).toEqual(table.sort());
	});

	it("knows the states of the contract and no other", async () => {
		const [row] = await query(
			"select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'videos_state_check'",
		);
		const states = [...String(row?.definition).matchAll(/'([a-z_]+)'/g)].map((match) => match[1]);
		expect([...states].sort()).toEqual([...videoStates].sort());
	});
});
