import { createPostgresDatabase } from "@reelmill/postgres";
import { startTestCluster } from "@reelmill/postgres/testing";
import { afterEach, expect, it } from "vitest";
import { run, Undo } from "./support.ts";

const undo = new Undo();
afterEach(() => undo.run());

async function start(synchronous: boolean) {
	const cluster = await startTestCluster({ synchronous });
	undo.add(() => cluster.close());
	const connect = (url: string) => {
		const database = createPostgresDatabase({ url, statementTimeoutMilliseconds: 1000 });
		undo.add(() => database.close());
		return database;
	};
	return { cluster, primary: connect(cluster.primary.url), standby: connect(cluster.standby.url) };
}

it("loses what an asynchronous standby didn't have, and nothing else", async () => {
	const { cluster, primary, standby } = await start(false);
	await run(primary, "create table entries (n int4)");
	await run(primary, "insert into entries values (1)");
	await cluster.caughtUp();
	await cluster.holdReplication();
	await run(primary, "insert into entries values (2)");
	await cluster.stopPrimary("kill");
	await cluster.promote();
	expect(await run(standby, "insert into entries values (3) returning n")).toEqual([{ n: 3 }]);
	expect(await run(standby, "select n from entries order by n")).toEqual([{ n: 1 }, { n: 3 }]);
});

it("acknowledges nothing that a synchronous standby doesn't have", async () => {
	const { cluster, primary, standby } = await start(true);
	await run(primary, "create table entries (n int4)");
	await cluster.holdReplication();
	await expect(run(primary, "insert into entries values (1)")).rejects.toMatchObject({ outcomeUnknown: true });
	await cluster.stopPrimary("freeze");
	await cluster.promote();
	expect(await run(standby, "select n from entries")).toEqual([]);
	await cluster.startPrimary("standby");
	expect(await run(primary, "select pg_is_in_recovery() as follows")).toEqual([{ follows: true }]);
});
