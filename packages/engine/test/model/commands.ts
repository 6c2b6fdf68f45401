import { inspect } from "node:util";
import fc from "fast-check";
import { type Action, anyAction, anyWait, type Wait } from "./actions.ts";
import { plan } from "./planned.ts";
import type { Real } from "./real.ts";
import { explain, inOrder, same } from "./serial-order.ts";
import { type Model, view, windows } from "./state.ts";
import { stepsOf } from "./steps.ts";

/** The model with what its clients remember. */
export type Subject = { model: Model; readonly locks: Map<string, string[]>; readonly reached?: Set<string> };
type Command = fc.AsyncCommand<Subject, Real>;

/** Each action is sent to one of the two servers. */
type Sent = { readonly action: Action; readonly server: number };

/**
 * Sends the actions at once, and looks for an order in which they make sense: in what each was answered, and in the
 * world as it then is.
 */
async function together(sent: readonly Sent[], subject: Subject, real: Real): Promise<void> {
	const { model, locks } = subject;
	const planned = sent.flatMap(({ action, server }) => {
		const known = plan(action, model, locks);
		return known === null ? [] : [{ known, server }];
	});
	const outcomes = await Promise.all(planned.map(({ known, server }) => real.run(known, server)));
	const done = planned.map(({ known }, index) => ({
		steps: stepsOf(known, model.videos, planned.length === 1),
		observed: outcomes[index] ?? "",
	}));
	const world = await real.observe();
	const after = explain(model, done, (candidate) => same(view(candidate), world));
	if (after === null)
		throw new Error(
			unexplained(
				model,
				planned.map(({ known }, index) => ({ ...known, answered: outcomes[index] })),
				world,
				inOrder(model, done),
			),
		);
	subject.model = after;
	for (const { moves } of after.videos) for (const made of moves) subject.reached?.add(made);
	const turns = await real.turns();
	for (const video of after.videos) video.turn = turns.get(video.id) ?? 0;
	for (const outcome of outcomes) {
		const [word, id = "", , lock = ""] = outcome.split(" ");
		if (word === "job") locks.set(id, [...(locks.get(id) ?? []), lock]);
	}
}

const deep = (value: unknown): string => inspect(value, { depth: 8, breakLength: 180 });
function unexplained(
	before: Model,
	actions: unknown,
	world: unknown,
	{ model, refused }: ReturnType<typeof inOrder>,
): string {
	return [
		"No order of these actions leads to what was answered and found.",
		`before: ${deep(before)}`,
		`actions: ${deep(actions)}`,
		`found: ${deep(world)}`,
		`the model, were they done as listed: ${deep(view(model))}`,
		`answers that do not fit then: ${deep(refused)}`,
	].join("\n");
}

const describe = ({ action: { type, ...details }, server }: Sent): string =>
	`${type}${JSON.stringify(details)}@${server}`;

class Together implements Command {
	readonly sent: readonly Sent[];
	constructor(sent: readonly Sent[]) {
		this.sent = sent;
	}
	check = ({ model, locks }: Readonly<Subject>): boolean =>
		this.sent.some(({ action }) => plan(action, model, locks) !== null);
	run = (subject: Subject, real: Real): Promise<void> => together(this.sent, subject, real);
	toString = (): string => this.sent.map(describe).join(" | ");
}

/** Actions one after the other. */
class InTurn implements Command {
	readonly sent: readonly Sent[];
	constructor(sent: readonly Sent[]) {
		this.sent = sent;
	}
	check = (): boolean => true;
	async run(subject: Subject, real: Real): Promise<void> {
		for (const one of this.sent) await together([one], subject, real);
	}
	toString = (): string => this.sent.map(describe).join("; ");
}

class Waiting implements Command {
	readonly wait: Wait;
	constructor(wait: Wait) {
		this.wait = wait;
	}
	check = (): boolean => true;
	async run({ model }: Subject, { opened }: Real): Promise<void> {
		await opened.clock.advance(this.wait.seconds * 1000);
		model.now = opened.clock.now();
	}
	toString = (): string => `wait ${this.wait.seconds}`;
}

/** Commands that belong together. */
class Scene implements Command {
	readonly parts: readonly Command[];
	constructor(parts: readonly Command[]) {
		this.parts = parts;
	}
	check = (): boolean => true;
	async run(subject: Subject, real: Real): Promise<void> {
		for (const part of this.parts) if (await part.check(subject)) await part.run(subject, real);
	}
	toString = (): string => this.parts.join("; ");
}

const server = fc.nat({ max: 1 });
const one = fc.record({ action: anyAction, server });
const alone = one.map((sent) => new Together([sent]));
const waiting = anyWait.map((wait) => new Waiting(wait));

const anyUploader = fc.constantFrom("anna", "bert", null);
const last = { video: 0, lock: "last" } as const;
/** What may come of an attempt. */
const ends: readonly (readonly Action[])[] = [
	[],
	[{ type: "complete", ...last }],
	[{ type: "cancel", video: 0 }],
	[{ type: "fail", ...last, retryable: true, stopped: false }, { type: "claim" }],
	[{ type: "fail", ...last, retryable: true, stopped: true }, { type: "claim" }],
	[{ type: "fail", ...last, retryable: false, stopped: false }],
];

/**
 * A new video on its way: initiated, created, with all bytes but the change of state, queued, locked, with outputs,
 * encoding, perhaps at its attempt's end.
 */
const grown = fc
	.record({
		tenant: fc.nat({ max: 1 }),
		uploader: anyUploader,
		size: fc.constantFrom(6, 9),
		stage: fc.constantFrom(1, 2, 3, 4, 5, 6, 6, 7, 7, 7),
		end: fc.constantFrom(...ends),
		server,
	})
	.map(({ tenant, uploader, size, stage, end, server }) => {
		const life: Action[] = [
			{ type: "initiate", tenant, uploader, size },
			{ type: "create", video: 0 },
			stage === 3 ? { type: "loseCompletion", video: 0 } : { type: "append", video: 0, bytes: size },
			{ type: "status", video: 0 },
			{ type: "claimThis", video: 0 },
			{ type: "deliver", ...last },
			{ type: "heartbeat", ...last },
		];
		return new InTurn([...life.slice(0, stage), ...(stage > 5 ? end : [])].map((action) => ({ action, server })));
	});

/** Two videos of which the second waits for the only slot, and nobody comes for a long time. */
const leftAlone = fc.constantFrom(60, 120).map((seconds) => {
	const life: Action[] = [
		{ type: "initiate", tenant: 1, uploader: null, size: 6 },
		{ type: "create", video: 0 },
		{ type: "append", video: 0, bytes: 6 },
	];
	const sent = [...life, ...life].map((action) => ({ action, server: 0 }));
	return new Scene([
		new InTurn(sent),
		new Waiting({ type: "wait", seconds }),
		new InTurn([{ action: { type: "sweep" }, server: 1 }]),
	]);
});

/** A video whose workers are lost, and taken back, one after the other. */
const losing = fc.constantFrom(1, 2).map((losses) => {
	const life: Action[] = [
		{ type: "initiate", tenant: 0, uploader: null, size: 6 },
		{ type: "create", video: 0 },
		{ type: "append", video: 0, bytes: 6 },
		{ type: "claimThis", video: 0 },
		{ type: "loseWorkers", video: 0 },
	];
	const inTurn = (actions: Action[]) => new InTurn(actions.map((action) => ({ action, server: 1 })));
	const lost = () => [
		new Waiting({ type: "wait", seconds: windows.lock }),
		inTurn([{ type: "sweep" }, { type: "claimThis", video: 0 }]),
	];
	return new Scene([inTurn(life), ...Array.from({ length: losses }, lost).flat()]);
});

/** Whether it pretends that something happened before. That can't happen while others act. */
const asIfBefore = ({ type }: Action): boolean => type === "loseCompletion" || type === "loseWorkers";

/** Two to four at once, on both servers; mostly about one video, since only those can get in each other's way. */
const crowd = fc
	.tuple(fc.array(one, { minLength: 2, maxLength: 4 }), fc.nat({ max: 2 }), fc.boolean())
	.map(([sent, video, same]) =>
		sent.map(({ action, server }) => ({ action: same && "video" in action ? { ...action, video } : action, server })),
	)
	.map((sent) => new Together(sent.filter(({ action }) => !asIfBefore(action))));

/** A new video, some time later, and a crowd around it. */
const scene = fc
	.tuple(grown, fc.constantFrom(0, 0, 40, 100, 130), fc.array(one, { minLength: 2, maxLength: 4 }))
	.map(([before, seconds, sent]) => {
		const around = sent.filter(({ action }) => !asIfBefore(action));
		const aboutIt = around.map(({ action, server }) => ({
			action: "video" in action ? { ...action, video: 0 } : action,
			server,
		}));
		return new Scene([before, ...(seconds > 0 ? [new Waiting({ type: "wait", seconds })] : []), new Together(aboutIt)]);
	});

export const oneByOne = (replayPath?: string) =>
	fc.commands([alone, alone, alone, grown, grown, fc.oneof(leftAlone, losing), waiting], {
		maxCommands: 30,
		size: "max",
		...(replayPath && { replayPath }),
	});
export const crowded = (replayPath?: string) =>
	fc.commands([scene, scene, crowd, waiting], { maxCommands: 12, size: "max", ...(replayPath && { replayPath }) });
