import type { RawStep } from "../generate/case.ts";
import type { Found } from "../judge/finding.ts";
import { leaksIn } from "../judge/leaks.ts";
import { credentialsIn, sightOf } from "../judge/principal.ts";
import { rawFindings } from "../judge/raw.ts";
import { headersText } from "../send/answer.ts";
import { sendRaw } from "../send/raw.ts";
import { answerText, rawText } from "../send/shell-line.ts";
import { writtenParts } from "../world/resolve.ts";
import type { RunningCase } from "./ground.ts";

/** Sends raw bytes and returns what is wrong with what comes. */
export async function runRawStep(
	{ ground, number, one, resolver, from, counts, onExchange }: RunningCase,
	step: RawStep,
	index: number,
): Promise<Found[]> {
	const { world, schemas, target } = ground;
	const parts = writtenParts(step, resolver);
	const outcome = await sendRaw(parts, step.end, target, from);
	onExchange?.(`${rawText(parts, target)}\n${outcome.answers.map(answerText).join("\n") || outcome.ended}`);
	counts?.sent(null, outcome.answers[0]?.status ?? 0, 0);
	const bytes = Buffer.concat(parts.filter((part) => typeof part !== "number")).toString("latin1");
	const credentials = credentialsIn(bytes, world.registry);
	const text = outcome.answers.map((answer) => `${headersText(answer)}\n${answer.body}`).join("\n");
	const findings = [
		...rawFindings(one.label, step, outcome, schemas, bytes.startsWith("HEAD ")),
		...leaksIn(text, bytes, sightOf(credentials), world.registry),
	];
	return findings.map((finding) => ({
		...finding,
		number,
		one,
		step: index,
		sent: rawText(parts, target),
		received: outcome.answers.map(answerText).join("\n") || outcome.ended,
	}));
}
