import { expect, it } from "vitest";
import { rules } from "../judge/rules.ts";
import { type Group, runCases, shrink } from "../run/run-cases.ts";
import { createCounts } from "../watch/counts.ts";
import { smallGround } from "./support/small-ground.ts";
import { type Fault, openSmallServer } from "./support/small-server.ts";

const seed = 7;
/** A busy machine takes seconds for what is answered at once; only a server that keeps silent is waited for. */
const hangMilliseconds = (fault: Fault | undefined) => (fault === "keeps silent" ? 1000 : 30_000);

async function groupsOf(
	fault: Fault | undefined,
	requests: number,
	look: (group: Group, shrinkIt: (group: Group) => Promise<void>) => Promise<void> = async () => undefined,
): Promise<Group[]> {
	const server = await openSmallServer(fault);
	try {
		const { ground, cases } = await smallGround(server.target, seed, hangMilliseconds(fault));
		const { groups } = await runCases({ ground, cases, requests, concurrency: 24, counts: createCounts([]) });
		for (const group of groups) await look(group, (one) => shrink(ground, cases, one, 1000));
		ground.sender.close();
		return groups;
	} finally {
		await server.close();
	}
}

it("finds nothing wrong with a server that keeps its contract", async () => {
	const groups = await groupsOf(undefined, 400);
	expect(groups.map(({ rule, subject, examples }) => ({ rule, subject, ...examples[0] }))).toEqual([]);
});

const caught: readonly { readonly fault: Fault; readonly rule: string; readonly requests?: number }[] = [
	{ fault: "fails", rule: rules.noFault },
	{ fault: "answers what it doesn't declare", rule: rules.described },
	{ fault: "says a code that isn't listed", rule: rules.described },
	{ fault: "sends a field too many", rule: rules.described },
	{ fault: "has no request id", rule: rules.named },
	{ fault: "tells another's text", rule: rules.kept },
	{ fault: "tells a secret", rule: rules.kept },
	{ fault: "finds another's video", rule: rules.apart, requests: 800 },
	{ fault: "lets anybody in", rule: rules.opened },
	{ fault: "keeps silent", rule: rules.answered },
	{ fault: "answers twice", rule: rules.notSmuggled },
	{ fault: "forgets a header", rule: "a 401 has www-authenticate" },
	{ fault: "drops the order", rule: rules.inOrder },
];

it.each(caught)("catches a server that $fault", async ({ fault, rule, requests = 250 }) => {
	const groups = await groupsOf(fault, requests);
	expect(groups.map((group) => group.rule)).toContain(rule);
});

it("reports the request that shows a fault, and a smaller one that shows the same", async () => {
	let smallest: Group["smallest"] = null;
	await groupsOf("fails", 250, async (group, shrinkIt) => {
		if (group.rule !== rules.noFault) return;
		await shrinkIt(group);
		smallest = group.smallest;
	});
	expect(smallest).toMatchObject({
		rule: rules.noFault,
		sent: expect.stringMatching(/^curl .*\/v1\/videos/),
		received: expect.stringMatching(/^500 /),
	});
});
