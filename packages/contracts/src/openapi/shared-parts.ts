import { type ErrorCode, errors } from "../errors.ts";
import type {
	DescribedOperation,
	Header,
	OpenApiDocument,
	Parameter,
	PathItem,
	Reference,
	Response,
} from "./document.ts";
import { pascal } from "./names.ts";

type Kind = "parameters" | "headers" | "responses";

/** What stands in the paths more often than once, by its text. */
type Named = ReadonlyMap<string, { readonly name: string; readonly part: unknown }>;

/**
 * Moves the parameters, headers and answers that several operations share into the components, and refers to them. A
 * part that stands once stays where it is. The same paths give the same names.
 */
export function withSharedParts(paths: Record<string, PathItem>): {
	paths: Record<string, PathItem>;
	components: Pick<OpenApiDocument["components"], Kind>;
} {
	const operations = Object.entries(paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
	);
	const parameters = named(
		operations.flatMap(({ path, operation }) =>
			(operation.parameters ?? []).map((part) => [nameOfParameter(path, part as Parameter), part] as const),
		),
	);
	const headers = named(
		operations.flatMap(({ operation }) =>
			Object.values(operation.responses).flatMap((response) =>
				Object.entries((response as Response).headers ?? {})
					.filter(([, part]) => !("$ref" in part))
					.map(([name, part]) => [pascal(name), part] as const),
			),
		),
	);
	const shareHeaders = (response: Response): Response => ({
		...response,
		...(response.headers && {
			headers: Object.fromEntries(
				Object.entries(response.headers).map(([name, part]) => [name, shared(headers, "headers", part)]),
			),
		}),
	});
	const answers = operations.flatMap(({ method, operation }) =>
		Object.entries(operation.responses).map(
			([status, response]) =>
				[nameOfAnswer(method, status, response as Response, operation), shareHeaders(response as Response)] as const,
		),
	);
	const responses = named(answers);
	const referring = Object.fromEntries(
		Object.entries(paths).map(([path, item]) => [
			path,
			Object.fromEntries(
				Object.entries(item).map(([method, operation]) => [
					method,
					{
						...operation,
						...(operation.parameters && {
							parameters: operation.parameters.map((part) => shared(parameters, "parameters", part)),
						}),
						responses: Object.fromEntries(
							Object.entries(operation.responses).map(([status, response]) => [
								status,
								shared(responses, "responses", shareHeaders(response as Response)),
							]),
						),
					},
				]),
			),
		]),
	);
	const components = (of: Named) => Object.fromEntries([...of.values()].map(({ name, part }) => [name, part]));
	return {
		paths: referring,
		components: {
			parameters: components(parameters) as Record<string, Parameter>,
			headers: components(headers) as Record<string, Header>,
			responses: components(responses) as Record<string, Response>,
		},
	};
}

/** Finds the parts that stand more than once. Of two with one name that one gets it which stands more often. */
function named(parts: readonly (readonly [name: string, part: object])[]): Named {
	const counts = new Map<string, { name: string; part: object; count: number }>();
	for (const [name, part] of parts) {
		const text = JSON.stringify(part);
		const known = counts.get(text);
		if (known === undefined) counts.set(text, { name, part, count: 1 });
		else known.count += 1;
	}
	const taken = new Set<string>();
	const often = [...counts].filter(([, { count }]) => count > 1).sort(([, a], [, b]) => b.count - a.count);
	return new Map(
		often.flatMap(([text, { name, part }]) => {
			if (taken.has(name)) return [];
			taken.add(name);
			return [[text, { name, part }]] as const;
		}),
	);
}

function shared<Part extends object>(parts: Named, kind: Kind, part: Part): Part | Reference {
	const found = parts.get(JSON.stringify(part));
	return found === undefined ? part : { $ref: `#/components/${kind}/${found.name}` };
}

/** `VideoId` of `/v1/videos/{id}`, `Cursor` of a query. */
function nameOfParameter(path: string, { name, in: place }: Parameter): string {
	if (place !== "path") return pascal(name);
	const before = path.slice(0, path.indexOf(`/{${name}}`));
	const noun = before.slice(before.lastIndexOf("/") + 1);
	return `${pascal(noun === "hls" ? noun : noun.replace(/ies$/, "y").replace(/s$/, ""))}${pascal(name)}`;
}

/** Codes that many answers have beside their own. */
const common: readonly string[] = ["bad_request", "validation_error", "internal_error"] satisfies ErrorCode[];

/** Returns the words that several codes begin with, such as `playback_key`; empty for one code, and for none. */
function kindOf(codes: readonly string[]): string {
	let [kind = ""] = codes.length > 1 ? codes : [];
	while (kind !== "" && !codes.every((code) => code.startsWith(`${kind}_`)))
		kind = kind.slice(0, Math.max(kind.lastIndexOf("_"), 0));
	return kind;
}

/**
 * `VideoNotFound` of an error, `NotFoundOrVideoNotFound` of one of two, `PlaybackKey401` of several of a kind,
 * `RefusedDomainKey` of what any operation with this credential may answer, `Video200` of a body.
 */
function nameOfAnswer(
	method: string,
	status: string,
	{ description, content = {} }: Response,
	{ security = [] }: DescribedOperation,
): string {
	const ofHead = method === "head" ? "Head" : "";
	const codes = [...new Set([...description.matchAll(/^`(\w+)`/gm)].map(([, code = ""]) => code))];
	const own = codes.filter((code) => !common.includes(code));
	if (status === "4XX") {
		const credentials = security.flatMap((one) => Object.keys(one)).map(pascal);
		const isRead = method === "get" && credentials.includes("ConsoleSession");
		return `${ofHead}Refused${credentials.join("Or") || "Anyone"}${isRead ? "Read" : ""}`;
	}
	const kind = kindOf(own);
	if (kind !== "") return `${ofHead}${pascal(kind)}${status}`;
	if (status === "5XX") return `${ofHead}${own.map(pascal).join("Or") || "Failed"}`;
	if (codes.length > 0) {
		const isUsual = codes.every((code) => String(errors[code as ErrorCode].status) === status);
		const named = own.length > 0 ? own : codes;
		return `${ofHead}${named.map(pascal).join("Or")}${isUsual ? "" : status}`;
	}
	const [[type, { schema }] = ["Answer", {}] as const] = Object.entries(content);
	const name = schema?.$ref === undefined ? pascal(type) : schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
	return `${ofHead}${name}${status}`;
}
