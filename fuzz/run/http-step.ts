import type { ApiOperation } from "../api/document.ts";
import type { HttpStep } from "../generate/case.ts";
import { accessFindings } from "../judge/access.ts";
import { contractFindings } from "../judge/contract.ts";
import type { Finding, Found } from "../judge/finding.ts";
import { headerFindings } from "../judge/headers.ts";
import { leaksIn } from "../judge/leaks.ts";
import { credentialOf, credentialsIn, sightOf, tokenOf } from "../judge/principal.ts";
import { rules } from "../judge/rules.ts";
import { type Answer, headersText, isAnswer, jsonOf } from "../send/answer.ts";
import { answerText, curlOf } from "../send/shell-line.ts";
import { recordAnswer, textAt } from "../world/record-answer.ts";
import { type Resolver, type WrittenRequest, writtenRequest } from "../world/resolve.ts";
import type { World } from "../world/world.ts";
import type { Ground, RunningCase } from "./ground.ts";

/** A larger answer is one of the API's own documents. */
const mostRead = 100_000;
/** A claim that finds no job is answered after the time that it asks to wait, 30 s at most. */
const waitMilliseconds = 31_000;

/** Sends a request and returns what is wrong with its answer. */
export async function runHttpStep(
	{ ground, number, one, resolver, from, counts, onExchange }: RunningCase,
	step: HttpStep,
	index: number,
): Promise<Found[]> {
	const { world, routes, sender, target } = ground;
	const written = writtenRequest(step, resolver, world.fixtures);
	const operations =
		written.port === "operations"
			? routes.at(methodOf(written), written.path).filter(({ port }) => port === "operations")
			: onApi(routes.at(methodOf(written), written.path));
	const waits = operations.some(({ name }) => name === "claimJob") ? waitMilliseconds : undefined;
	const started = performance.now();
	const outcome = await sender.send(written, from, waits);
	const milliseconds = performance.now() - started;
	if (!isAnswer(outcome) && outcome.failure === "UNSENDABLE") {
		counts?.unsendable();
		return [];
	}
	onExchange?.(`${curlOf(written, target, from)}\n${isAnswer(outcome) ? answerText(outcome) : outcome.failure}`);
	counts?.sent(operations[0]?.name ?? null, isAnswer(outcome) ? outcome.status : 0, milliseconds);
	const asFound = (findings: readonly Finding[], received: string): Found[] =>
		findings.map((finding) => ({
			...finding,
			number,
			one,
			step: index,
			sent: curlOf(written, target, from),
			received,
		}));
	if (!isAnswer(outcome) && isCutOff(written, outcome.failure)) return [];
	if (!isAnswer(outcome))
		return asFound(
			[{ rule: rules.answered, subject: operations[0]?.name ?? one.label, detail: outcome.failure }],
			outcome.failure,
		);
	const findings = findingsOf(operations, written, outcome, ground);
	take(operations, outcome, step, resolver, written, world);
	return asFound(findings, answerText(outcome));
}

/** Compares an answer with the contract, with the rights of the one who asked, and with what others must not see. */
function findingsOf(
	operations: readonly ApiOperation[],
	sent: WrittenRequest,
	answer: Answer,
	{ schemas, world: { registry } }: Ground,
): Finding[] {
	const credential = credentialOf(sent, registry);
	const request = `${sent.path}\n${JSON.stringify(sent.headers)}\n${sent.body?.toString() ?? ""}`;
	const text = `${headersText(answer)}\n${answer.body.length > mostRead ? "" : answer.body.toString()}`;
	const credentials = credentialsIn(sent.body?.toString("latin1") ?? "", registry);
	return [
		...contractFindings(operations, sent, answer, schemas),
		...accessFindings(operations, sent, answer, credential, registry),
		...headerFindings(operations, sent.path, answer),
		...leaksIn(text, request, sightOf(credential === null ? credentials : [credential, ...credentials]), registry),
	];
}

/**
 * Node refuses a head of more than 16 KiB and ends the connection. A client that still sends its body may then never
 * read the answer.
 */
const isCutOff = ({ headers, body }: WrittenRequest, failure: string): boolean =>
	body !== null && JSON.stringify(headers).length > 15_000 && ["ECONNRESET", "EPIPE"].includes(failure);

/** Returns the method that the upload plane reads: a client that can't send PATCH says it in a header. */
function methodOf({ method, path, headers }: WrittenRequest): string {
	const override = headers["x-http-method-override"];
	return method === "POST" && path.startsWith("/uploads") && typeof override === "string"
		? override.toUpperCase()
		: method;
}

const onApi = (operations: readonly ApiOperation[]): ApiOperation[] => operations.filter(({ port }) => port === "api");

/** Takes values from an answer, for the following steps and for other cases. */
function take(
	[operation]: readonly ApiOperation[],
	answer: Answer,
	step: HttpStep,
	resolver: Resolver,
	written: WrittenRequest,
	world: World,
): void {
	if (answer.status >= 300 || operation === undefined) return;
	const json = jsonOf(answer);
	if (typeof json !== "object" || json === null) return;
	recordAnswer(world.registry, {
		operation: operation.name,
		json,
		by: credentialOf(written, world.registry),
		token: tokenOf(written),
	});
	for (const [name, path] of Object.entries(step.save ?? {})) {
		const value = textAt(json, ...path.split("."));
		if (value !== undefined) resolver.save(name, value);
	}
}
