import type { AnswerSchemas } from "./api/answers.ts";
import type { ApiOperation } from "./api/document.ts";
import type { Routes } from "./api/routes.ts";
import type { Case, HttpStep, RawStep } from "./generate/case.ts";
import { accessFindings } from "./judge/access.ts";
import { contractFindings } from "./judge/contract.ts";
import type { Finding, Found } from "./judge/finding.ts";
import { headerFindings } from "./judge/headers.ts";
import { leaksIn } from "./judge/leaks.ts";
import { credentialOf, credentialsIn, sightOf, tokenOf } from "./judge/principal.ts";
import { rawFindings } from "./judge/raw.ts";
import { rules } from "./judge/rules.ts";
import { type Answer, isAnswer, jsonOf } from "./send/answer.ts";
import type { HttpSender, Target } from "./send/http.ts";
import { sendRaw } from "./send/raw.ts";
import { answerText, curlOf, rawText } from "./tell.ts";
import type { Counts } from "./watch/counts.ts";
import { learn, textAt } from "./world/learn.ts";
import { createResolver, type Resolver, type WrittenRequest, writtenParts, writtenRequest } from "./world/resolve.ts";
import type { World } from "./world/world.ts";

export type Stage = {
	readonly target: Target;
	readonly sender: HttpSender;
	readonly world: World;
	readonly routes: Routes;
	readonly schemas: AnswerSchemas;
	/** Returns a client's address; undefined if the system has only one. */
	readonly addressOf: (number: number) => string | undefined;
};
type Sending = {
	readonly stage: Stage;
	readonly number: number;
	readonly one: Case;
	readonly resolver: Resolver;
	readonly from: string | undefined;
	readonly counts: Counts | undefined;
	readonly onExchange: ((line: string) => void) | undefined;
};

/** A larger answer is one of the API's own documents. */
const mostRead = 100_000;
/** A claim that finds no job is answered after the time that it asks to wait, 30 s at most. */
const waitMilliseconds = 31_000;

/**
 * Sends one case, step by step, and returns what is wrong with the answers. `onExchange` is called with each request
 * and its answer. Never rejects.
 */
export async function play(
	stage: Stage,
	number: number,
	one: Case,
	counts?: Counts,
	onExchange?: (line: string) => void,
): Promise<Found[]> {
	const { world } = stage;
	const resolver = createResolver(world.registry, world.tenants, one, `${number.toString(36)}-${one.address}`);
	const sending: Sending = { stage, number, one, resolver, from: stage.addressOf(one.address), counts, onExchange };
	const found: Found[] = [];
	const running: Promise<unknown>[] = [];
	for (const [index, step] of one.steps.entries()) {
		const sent = (step.kind === "raw" ? playRaw(sending, step, index) : playHttp(sending, step, index)).then((more) =>
			found.push(...more),
		);
		if (step.kind === "http" && step.together) running.push(sent);
		else await sent;
	}
	await Promise.all(running);
	return found;
}

async function playHttp(
	{ stage, number, one, resolver, from, counts, onExchange }: Sending,
	step: HttpStep,
	index: number,
): Promise<Found[]> {
	const { world, routes, schemas, sender, target } = stage;
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
	const tell = (findings: readonly Finding[], received: string): Found[] =>
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
		return tell(
			[{ rule: rules.answered, subject: operations[0]?.name ?? one.label, detail: outcome.failure }],
			outcome.failure,
		);
	const findings = judge(operations, written, outcome, stage);
	take(operations, outcome, step, resolver, written, world);
	return tell(findings, answerText(outcome));

	function judge(
		all: readonly ApiOperation[],
		sent: WrittenRequest,
		answer: Answer,
		{ world: { registry } }: Stage,
	): Finding[] {
		const credential = credentialOf(sent, registry);
		const request = `${sent.path}\n${JSON.stringify(sent.headers)}\n${sent.body?.toString() ?? ""}`;
		const text = `${headersText(answer)}\n${answer.body.length > mostRead ? "" : answer.body.toString()}`;
		return [
			...contractFindings(all, sent, answer, schemas),
			...accessFindings(all, sent, answer, credential, registry),
			...headerFindings(all, sent.path, answer),
			...leaksIn(
				text,
				request,
				sightOf([
					...(credential === null ? [] : [credential]),
					...credentialsIn(sent.body?.toString("latin1") ?? "", registry),
				]),
				registry,
			),
		];
	}
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
	learn(world.registry, {
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

/**
 * Returns the headers' text without the request's id, which looks like an id but belongs to nobody, and without the
 * addresses of what was asked for.
 */
const headersText = ({ headers }: Answer): string =>
	[...headers]
		.filter(([name]) => name !== "x-request-id")
		.map(([name, value]) => `${name}: ${value}`)
		.join("\n");

async function playRaw(
	{ stage, number, one, resolver, from, counts, onExchange }: Sending,
	step: RawStep,
	index: number,
): Promise<Found[]> {
	const { world, schemas, target } = stage;
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
