import type { Credential, Owner, Registry } from "./registry.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A successful answer: its content, whose credential asked, and with which text. */
export type Told = {
	readonly operation: string;
	readonly json: unknown;
	readonly by: Credential | null;
	readonly token: string | null;
};
type Lesson = (registry: Registry, told: Told) => void;

/** Returns the text at a path of a JSON value. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
	const found = path.reduce<unknown>(
		(at, key) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined),
		value,
	);
	return typeof found === "string" ? found : undefined;
}

function learnCredential(registry: Registry, text: string | undefined, plane: Credential["plane"], owner: Owner): void {
	if (text !== undefined && !registry.credentials.has(text))
		registry.credentials.set(text, { plane, owner, isSound: "maybe" });
}
function learnId(registry: Registry, text: string | undefined, owner: Owner): void {
	if (text !== undefined && uuid.test(text) && !registry.ids.has(text)) registry.ids.set(text, owner);
}
function learnSecret(registry: Registry, text: string | undefined): void {
	if (text !== undefined) registry.secrets.add(text);
}

const account: Lesson = (registry, { json }) => {
	const id = textAt(json, "service_account", "id");
	learnId(registry, id, "platform");
	if (id !== undefined) registry.add(null, "spare.account", id);
	learnCredential(registry, textAt(json, "secret"), "service", "platform");
	learnSecret(registry, textAt(json, "secret"));
};
const job: Lesson = (registry, { json }) => {
	const [id, lock] = [textAt(json, "id"), textAt(json, "lock")];
	const owner = id === undefined ? undefined : registry.ids.get(id);
	if (owner === undefined || id === undefined || lock === undefined) return;
	learnId(registry, lock, owner);
	registry.add(owner, "job", id);
	registry.add(owner, "lock", lock);
};
/** Makes a lesson from a request by the holder of a tenant's key, or of a sandbox session's. */
const asTenant =
	(lesson: (registry: Registry, told: Told, owner: Owner) => void): Lesson =>
	(registry, told) => {
		if (told.by?.plane === "tenant" || told.by?.plane === "sandbox") lesson(registry, told, told.by.owner);
	};
const ticket = (pool: string, path: readonly string[]): Lesson =>
	asTenant((registry, { json }, owner) => {
		const [id, token, value] = [
			textAt(json, "upload", "metadata", "video_id"),
			textAt(json, "upload", "token"),
			textAt(json, ...path),
		];
		if (id === undefined || token === undefined || value === undefined) return;
		learnId(registry, id, owner);
		learnCredential(registry, token, "upload", owner);
		registry.add(owner, pool, value);
		registry.add(owner, "new.video", id);
		registry.add(owner, "new.token", token);
	});

const lessons: Readonly<Record<string, Lesson>> = {
	createDomain(registry, { json }) {
		const [domain, key] = [textAt(json, "domain", "id"), textAt(json, "api_key")];
		if (domain === undefined || key === undefined) return;
		const owner = `d${registry.ids.size}`;
		learnId(registry, domain, owner);
		learnCredential(registry, key, "tenant", owner);
		learnSecret(registry, key);
		registry.add(null, "spare.domain", domain);
		registry.add(null, "spare.key", key);
	},
	createSandboxSession(registry, { json }) {
		learnCredential(registry, textAt(json, "api_key"), "sandbox", `s${registry.credentials.size}`);
		learnSecret(registry, textAt(json, "api_key"));
	},
	rotateDomainKey: asTenant((registry, { json }, owner) => {
		learnCredential(registry, textAt(json, "api_key"), "tenant", owner);
		learnSecret(registry, textAt(json, "api_key"));
	}),
	rotateDomainKeyAsAdmin: (registry, { json }) => learnSecret(registry, textAt(json, "api_key")),
	rotateWebhookSecret: (registry, { json }) => learnSecret(registry, textAt(json, "webhook_secret")),
	createServiceAccount: account,
	rotateServiceAccount: account,
	issueServiceToken: (registry, { json }) => learnCredential(registry, textAt(json, "token"), "service", "platform"),
	claimJob: job,
	claimJobById: job,
	createVideo: ticket("video", ["video", "id"]),
	createOutro: ticket("outro", ["outro", "slug"]),
	createUpload(registry, { by, token }) {
		const video = token === null ? undefined : subjectOf(token);
		if (by?.plane !== "upload" || token === null || video === undefined) return;
		registry.add(by.owner, "upload.video", video);
		registry.add(by.owner, "upload.token", token);
	},
	createPlaybackKey: asTenant((registry, { json }, owner) =>
		learnCredential(registry, textAt(json, "playback_key"), "playback", owner),
	),
	listWebhookDeliveries: asTenant((registry, { json }, owner) => {
		for (const one of (json as { data?: unknown[] }).data ?? []) {
			const delivery = textAt(one, "id");
			if (delivery === undefined || registry.ids.has(delivery)) continue;
			learnId(registry, delivery, owner);
			registry.add(owner, "delivery", delivery);
		}
	}),
};

/** Returns the asset of an upload token, which is in the token's middle part. */
function subjectOf(token: string): string | undefined {
	const [, payload = ""] = token.split(".");
	return textAt(JSON.parse(Buffer.from(payload, "base64url").toString() || "null"), "sub");
}

/**
 * Puts what a successful answer contains into the registry: new ids with their owner, new credentials, and values that
 * later cases can use.
 */
export const recordAnswer = (registry: Registry, told: Told): void => lessons[told.operation]?.(registry, told);
