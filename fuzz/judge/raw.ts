import type { AnswerSchemas } from "../api/answers.ts";
import type { RawStep } from "../generate/case.ts";
import { codeOf } from "../send/answer.ts";
import type { RawOutcome } from "../send/raw.ts";
import { unreadFindings } from "./contract.ts";
import type { Finding } from "./finding.ts";
import { rules } from "./rules.ts";

/**
 * Compares what came for raw bytes with the contract: errors have its body, nothing was smuggled, and nobody waits in
 * vain.
 */
export function rawFindings(
	label: string,
	step: RawStep,
	{ answers, rest, ended }: RawOutcome,
	schemas: AnswerSchemas,
	isHead: boolean,
): Finding[] {
	const findings: Finding[] = [];
	const add = (rule: string, detail: string, subject = label) => findings.push({ rule, subject, detail });
	if (ended === "HUNG") add(rules.answered, "neither an answer nor the connection's end came");
	if (answers.length > step.mostAnswers)
		add(rules.notSmuggled, `${answers.length} answers where there are ${step.mostAnswers} requests`);
	for (const answer of answers) {
		const { status, headers } = answer;
		const subject = `${label}: ${status} ${codeOf(answer) ?? ""}`.trim();
		if (status >= 500) add(rules.noFault, answer.body.toString().slice(0, 300), subject);
		else if (status >= 400) findings.push(...unreadFindings("raw bytes", answer, schemas, isHead));
		else if (headers.get("x-request-id") === undefined) add(rules.named, "it has none", subject);
	}
	if (rest > 0 && step.end !== "leave") add(rules.whole, `${rest} bytes are no answer, or half of one`);
	if (step.ids !== undefined) {
		const got = answers.map(({ headers }) => headers.get("x-request-id")).join(" ");
		if (got !== step.ids.join(" ")) add(rules.inOrder, `${got} in place of ${step.ids.join(" ")}`);
	}
	return findings;
}
