import { Resolver } from "node:dns/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type NameServer, openNameServer } from "../../world/name-server.ts";

let nameServer: NameServer;
beforeAll(async () => {
	nameServer = await openNameServer();
});
afterAll(() => nameServer.close());

const ask = (name: string, timeout = 60_000) => {
	const resolver = new Resolver({ timeout, tries: 1 });
	resolver.setServers([nameServer.address]);
	return { four: resolver.resolve4(name), six: resolver.resolve6(name) };
};

it("answers one address for each name below faults.test, and for no other name", async () => {
	const { four, six } = ask("disk-0.faults.test");
	expect(await four).toEqual(["127.0.0.1"]);
	await expect(six).rejects.toMatchObject({ code: "ENODATA" });
	for (const asked of Object.values(ask("example.test")))
		await expect(asked).rejects.toMatchObject({ code: "ENOTFOUND" });
});

it("fails, is silent, and answers again", async () => {
	nameServer.behave("fail");
	for (const asked of Object.values(ask("disk-0.faults.test")))
		await expect(asked).rejects.toMatchObject({ code: "ESERVFAIL" });
	nameServer.behave("be silent");
	for (const asked of Object.values(ask("disk-0.faults.test", 100)))
		await expect(asked).rejects.toMatchObject({ code: "ETIMEOUT" });
	nameServer.behave("answer");
	const { four, six } = ask("disk-0.faults.test");
	expect(await four).toEqual(["127.0.0.1"]);
	await expect(six).rejects.toMatchObject({ code: "ENODATA" });
});
