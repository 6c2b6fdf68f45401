/** What the form of an operation needs to know; made of the OpenAPI document when the site is built. */
export type TriedOperation = {
	readonly id: string;
	readonly method: string;
	readonly path: string;
	readonly fields: readonly Field[];
	/** What the body is: `null` if there is none. */
	readonly body: { readonly type: string; readonly example: string | null } | null;
	readonly credential: Credential | null;
	/** Whether a sandbox session is refused (403). */
	readonly isRefused: boolean;
};

/** Which token a request carries. */
export type Credential = "sandboxKey" | "uploadToken" | "playbackKey";

export type Field = {
	readonly name: string;
	readonly in: "path" | "query" | "header";
	readonly required: boolean;
	readonly example: string;
	/** The only values that it may have; empty if it may have others. */
	readonly choices: readonly string[];
};

/** What the answers so far brought: a token by the kind of credential, and the video that they were about. */
export type Found = { readonly [Kind in Exclude<Credential, "sandboxKey">]?: string } & { readonly videoId?: string };

/** What is sent, ready for `fetch`. */
export type Prepared = {
	readonly url: string;
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Blob | null;
};

/** Returns the address of a server without a slash at its end; throws a TypeError if it is none. */
export function addressOf(typed: string): string {
	const { protocol, host, pathname } = new URL(typed.includes("://") ? typed : `http://${typed}`);
	if (protocol !== "http:" && protocol !== "https:") throw new TypeError(`${protocol} is no web address`);
	const address = `${protocol}//${host}${pathname}`;
	return address.endsWith("/") ? address.slice(0, -1) : address;
}

/** Makes the request of an operation of what was typed into its form. Fields that were left empty are left out. */
export function prepare(
	{ method, path, fields, body }: TriedOperation,
	address: string,
	typed: Readonly<Record<string, string>>,
	sent: { readonly token: string | undefined; readonly body: string | Blob },
): Prepared {
	const typedIn = ({ name }: Field): string => typed[name] ?? "";
	const given = fields.filter((field) => typedIn(field) !== "");
	const encoded = (field: Field): string => typedIn(field).split("/").map(encodeURIComponent).join("/");
	const filled = fields
		.filter((field) => field.in === "path")
		.reduce((done, field) => done.replace(`{${field.name}}`, encoded(field)), path);
	const query = new URLSearchParams(
		given.filter((field) => field.in === "query").map((field) => [field.name, typedIn(field)]),
	);
	const isSent = body !== null && sent.body !== "";
	return {
		url: `${address}${filled}${query.size === 0 ? "" : `?${query}`}`,
		method: method.toUpperCase(),
		headers: {
			...Object.fromEntries(
				given.filter((field) => field.in === "header").map((field) => [field.name, typedIn(field)]),
			),
			...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
			...(isSent && { "content-type": body.type }),
		},
		body: isSent ? sent.body : null,
	};
}

/** Finds in a JSON answer what later requests need. */
export function foundIn(answer: unknown): Found {
	const { video, upload, playback_key, id, state } = (answer ?? {}) as Record<string, unknown>;
	const of = (value: unknown, name: string): unknown => (value as Record<string, unknown> | undefined)?.[name];
	const token = of(upload, "token");
	const videoId = of(video, "id") ?? (typeof state === "string" ? id : undefined);
	return {
		...(typeof token === "string" && { uploadToken: token }),
		...(typeof playback_key === "string" && { playbackKey: playback_key }),
		...(typeof videoId === "string" && { videoId }),
	};
}
