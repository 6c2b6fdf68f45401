import { expect, it } from "vitest";
import {
	isTerminal,
	type Outro,
	type StorageView,
	testVideoId,
	type Video,
	type WebhookDelivery,
} from "../../src/index.ts";
import type { Content } from "../../src/openapi/document.ts";
import { createOpenApiDocument } from "../../src/openapi.ts";

type Body = { readonly place: string; readonly example: unknown };
type Fields = Readonly<Record<string, unknown>>;

const { paths, webhooks = {}, components } = createOpenApiDocument({ serverUrl: "https://video.acme.test" });
const operations = Object.values({ ...paths, ...webhooks }).flatMap((item) => Object.values(item));
const bodiesOf = (place: string, content: Content = {}): Body[] =>
	Object.entries(content)
		.filter(([type]) => type.endsWith("json"))
		.map(([, { example }]) => ({ place, example }));
/** What each operation shows as its request and as its success. */
const shown = operations.map(({ operationId, requestBody, responses }) => {
	const [answer] = Object.entries(responses)
		.filter(([status]) => status.startsWith("2"))
		.map(([, one]) => ("$ref" in one ? components.responses?.[one.$ref.replace(/.*\//, "")] : one));
	return {
		operationId,
		request: bodiesOf(`${operationId} asks`, requestBody?.content)[0],
		answer: bodiesOf(`${operationId} answers`, answer?.content)[0],
	};
});
const bodies = shown.flatMap(({ request, answer }) => [request, answer]).filter((body) => body !== undefined);

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
/** Every object in a body that has these fields. */
const having = <T extends object>(...names: (keyof T & string)[]): [place: string, value: T][] => {
	const found: [string, T][] = [];
	const look = (place: string, value: unknown): void => {
		if (!isFields(value)) return;
		if (names.every((name) => name in value)) found.push([place, value as T]);
		for (const [name, inner] of Object.entries(value)) look(`${place}.${name}`, inner);
	};
	for (const { place, example } of bodies) look(place, example);
	expect(found).not.toEqual([]);
	return found;
};

it("shows each body as a whole", () => {
	expect(bodies.filter(({ example }) => example === undefined)).toEqual([]);
	expect(bodies.length).toBeGreaterThan(100);
});

it("shows no video with what its state can't have", () => {
	for (const [place, video] of having<Video>("state", "outputs", "transcript_status")) {
		const { state, id, transcript_status: transcript } = video;
		const isAvailable = state === "available";
		expect({ place, ...video }).toMatchObject({
			progress: isAvailable ? 100 : expect.toSatisfy((progress: number) => progress < 100),
			outputs: isAvailable ? expect.anything() : null,
			available_at: isAvailable ? expect.anything() : null,
			width: isAvailable ? expect.anything() : null,
			uploaded_at: ["pending_upload", "expired", "cancelled"].includes(state) ? null : expect.anything(),
			failure_reason: ["failed", "timeout"].includes(state) ? expect.anything() : null,
			// The video of a test event is nobody's.
			expires_at: state === "pending_upload" && id !== testVideoId ? expect.anything() : null,
			transcript_url: transcript === "available" ? expect.stringContaining(id) : null,
			...(!isAvailable && {
				transcript_status: transcript === "disabled" ? transcript : isTerminal(state) ? "failed" : "pending",
			}),
		});
	}
});

it("shows no outro, delivery or storage with what it can't have", () => {
	for (const [place, outro] of having<Outro>("slug", "serving_outro_id"))
		expect({ place, ...outro }).toMatchObject(
			outro.state === "available" ? { serving_outro_id: outro.id, width: expect.anything() } : { width: null },
		);
	for (const [place, { attempts, ...delivery }] of having<WebhookDelivery>("attempts", "attempt_count")) {
		const isDelivered = delivery.status === "delivered";
		for (const { error, response_status: status } of attempts)
			expect([place, error === null]).toEqual([place, Math.floor((status ?? 0) / 100) === 2]);
		expect({ place, ...delivery, taken: attempts.at(-1)?.error === null }).toMatchObject({
			attempt_count: attempts.length,
			taken: isDelivered,
			delivered_at: isDelivered ? expect.anything() : null,
			...(delivery.status === "pending" && { next_attempt_at: expect.anything() }),
		});
	}
	for (const [place, { backend, location_id, bucket }] of having<StorageView>("backend"))
		expect([place, location_id != null, bucket != null]).toEqual([
			place,
			backend === "s3_platform",
			backend === "s3_tenant",
		]);
	for (const [place, { kind, chunk, transcript }] of having<{ kind: string; chunk: unknown; transcript: unknown }>(
		"kind",
		"chunk",
	))
		expect([place, chunk !== null, transcript !== null]).toEqual([place, kind === "chunk", kind === "transcript"]);
});

/** Fields that an answer has by the name of one in its request, and which mean something else there. */
const otherThere = ["checkStorage.cursor", "checkStorage.young", "claimJob.worker", "claimJobById.worker"];

it("answers what the request beside it asks for", () => {
	const compared: string[] = [];
	for (const { operationId, request, answer } of shown) {
		if (!isFields(request?.example) || !isFields(answer?.example)) continue;
		const asked = Object.entries(request.example);
		for (const part of [answer.example, ...Object.values(answer.example).filter(isFields)])
			for (const [name, value] of asked) {
				if (!(name in part) || otherThere.includes(`${operationId}.${name}`)) continue;
				compared.push(operationId);
				expect([operationId, name, part[name]]).toEqual([operationId, name, value]);
			}
	}
	expect(compared).toEqual(expect.arrayContaining(["createVideo", "updateDomain", "updateDomainConfig", "putStorage"]));
});

it("shows each answer in the state that the operation leads to", () => {
	const answers = Object.fromEntries(shown.map(({ operationId, answer }) => [operationId, answer?.example]));
	expect(answers).toMatchObject({
		createVideo: { video: { state: "pending_upload" } },
		cancelVideo: { state: "cancelled" },
		reprocessVideo: { state: "queued" },
		completeJob: { state: "available" },
		failJob: { state: "failed" },
		createOutro: { outro: { state: "uploading" } },
		sendTestWebhook: { type: "webhook.test", status: "pending" },
		replayWebhookDelivery: { status: "pending" },
		deleteStorage: { backend: "local" },
		disableConsoleAccount: { disabled_at: expect.anything() },
		enableConsoleAccount: { disabled_at: null },
	});
});
