import type { Case, HttpStep, RawStep } from "../generate/case.ts";
import type { Registry } from "./registry.ts";

export type Resolver = {
	/**
	 * Returns the text with a value of the world in place of each placeholder. A placeholder without a value stays as it
	 * is.
	 */
	text(text: string): string;
	/** Sets what `{{$name}}` stands for from now on. */
	save(name: string, value: string): void;
};
/** A request as it goes over the wire. */
export type WrittenRequest = Pick<HttpStep, "method" | "path" | "port" | "chunked"> & {
	readonly headers: Readonly<Record<string, string | readonly string[]>>;
	readonly body: Buffer | null;
};

const placeholder = /\{\{(\$?[A-Za-z.]+)(?:#(p|\d+))?(?:\|([a-z0-9]+))?\}\}/g;
const filters: Readonly<Record<string, (text: string) => string>> = {
	base64: (text) => Buffer.from(text).toString("base64"),
	cut: (text) => text.slice(0, -3),
	flip: (text) =>
		text.slice(0, text.length >> 1) + (text[text.length >> 1] === "A" ? "B" : "A") + text.slice((text.length >> 1) + 1),
	upper: (text) => text.toUpperCase(),
};

/**
 * Creates a resolver for one case's placeholders. `foreign.` names what another tenant has. What no tenant has for
 * itself, such as a sandbox session, is the world's.
 */
export function createResolver(
	registry: Registry,
	tenants: readonly string[],
	{ tenant, pick }: Case,
	unique: string,
): Resolver {
	const saved = new Map<string, string>();
	const own = tenants[tenant % tenants.length] ?? "";
	const other = tenants[(tenant + 1 + (pick % Math.max(1, tenants.length - 1))) % tenants.length] ?? "";
	const lookUp = (name: string, index: number): string | undefined => {
		if (name.startsWith("$")) return saved.get(name.slice(1));
		if (name === "owner") return own;
		if (name === "unique") return unique;
		const isForeign = name.startsWith("foreign.");
		const plain = isForeign ? name.slice("foreign.".length) : name;
		const ofTenant = registry.pool(isForeign ? other : own, plain);
		const pool = ofTenant ?? registry.pool(null, plain) ?? [];
		return pool[(ofTenant === undefined ? index + tenant : index) % pool.length];
	};
	return {
		text: (text) =>
			text.replaceAll(placeholder, (whole, name: string, index: string | undefined, filter: string | undefined) => {
				const found = lookUp(name, index === "p" ? pick : Number(index ?? 0));
				return found === undefined ? whole : (filters[filter ?? ""]?.(found) ?? found);
			}),
		save: (name, value) => void saved.set(name, value),
	};
}

export function writtenRequest(
	{ method, path, port, chunked, headers, body }: HttpStep,
	{ text }: Resolver,
	fixtures: ReadonlyMap<string, Buffer>,
): WrittenRequest {
	const entries = Object.entries(headers).map(
		([name, value]) => [name, typeof value === "string" ? text(value) : value.map(text)] as const,
	);
	return {
		method,
		path: text(path),
		...(port && { port }),
		...(chunked && { chunked }),
		headers: Object.fromEntries(entries),
		body: body && bytesOf(body, text, fixtures),
	};
}

function bytesOf(
	body: NonNullable<HttpStep["body"]>,
	text: Resolver["text"],
	fixtures: ReadonlyMap<string, Buffer>,
): Buffer {
	if ("fixture" in body) return fixtures.get(body.fixture) ?? Buffer.alloc(0);
	return "base64" in body ? Buffer.from(body.base64, "base64") : Buffer.from(text(body.text));
}

/** Returns the bytes and pauses of a raw step. */
export const writtenParts = ({ parts }: RawStep, { text }: Resolver): (Buffer | number)[] =>
	parts.map((part) => (typeof part === "number" ? part : Buffer.from(text(part), "latin1")));
