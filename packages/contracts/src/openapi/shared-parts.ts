import type { Header, OpenApiDocument, Parameter, PathItem, Response } from "./document.ts";
import { nameOfAnswer, nameOfParameter, pascal } from "./names.ts";

type Components = Record<string, Record<string, unknown>>;
/** Where a part stands, and the name that it gets if it stands more often. */
type Place = { readonly holder: Record<string, unknown>; readonly key: string; readonly name: string };

/**
 * Moves the parameters, headers and answers of a document that several operations share into its components, and refers
 * to them. A part that stands once stays where it is. The credentials that most operations ask for are said once, and
 * components to which nothing refers are left out. The same document gives the same names.
 */
export function withSharedParts({ components, ...rest }: OpenApiDocument): OpenApiDocument {
	const places: Record<"headers" | "parameters" | "responses", Place[]> = {
		headers: [],
		parameters: [],
		responses: [],
	};
	for (const [path, item] of Object.entries<PathItem>({ ...rest.paths, ...rest.webhooks }))
		for (const [method, operation] of Object.entries(item)) {
			const { parameters, responses } = operation;
			const nameOf = (answer: Response, status: string) => nameOfAnswer(method, status, answer, operation);
			places.parameters.push(...placesIn<Parameter>(parameters, (parameter) => nameOfParameter(path, parameter)));
			places.responses.push(...placesIn<Response>(responses, nameOf));
			for (const { headers } of Object.values(responses) as Response[])
				places.headers.push(...placesIn<Header>(headers, (_header, name) => pascal(name)));
		}
	const all = { ...components } as Components;
	for (const [kind, ofKind] of Object.entries(places)) all[kind] = { ...all[kind], ...share(kind, ofKind) };
	const operations = Object.values(rest.paths).flatMap((item) => Object.values(item));
	const [most = []] = groups(operations, ({ security }) => security);
	const document = { ...rest, security: most[0]?.security ?? [] };
	for (const operation of most) delete operation.security;
	return { ...document, components: used(all, document) };
}

/** Refers, in each place of several whose parts are alike, to the part by its name. Returns those parts. */
function share(kind: string, places: Place[]): Record<string, unknown> {
	const named: Record<string, unknown> = {};
	for (const alike of groups(places, ({ holder, key }) => holder[key])) {
		const [first] = alike;
		// Of two with one name that one gets it which stands more often.
		if (first === undefined || alike.length === 1 || first.name in named) continue;
		named[first.name] = first.holder[first.key];
		for (const { holder, key } of alike) holder[key] = { $ref: `#/components/${kind}/${first.name}` };
	}
	return named;
}

/** Returns the things that are alike in something together, the most frequent first. */
const groups = <Thing>(things: Thing[], of: (thing: Thing) => unknown): Thing[][] =>
	[...Map.groupBy(things, (thing) => JSON.stringify(of(thing))).values()].sort((a, b) => b.length - a.length);

/** Returns the place of each part of an object or a list that is no reference already. */
const placesIn = <Part>(holder: object = {}, nameOf: (part: Part, key: string) => string): Place[] =>
	Object.entries(holder)
		.filter(([, part]) => !("$ref" in part))
		.map(([key, part]) => ({ holder: holder as Place["holder"], key, name: nameOf(part as Part, key) }));

/** Returns those components to which a document refers, by itself or by way of others, and its credentials. */
function used({ securitySchemes = {}, ...components }: Components, document: object): Components {
	const found: Components = Object.keys(securitySchemes).length > 0 ? { securitySchemes } : {};
	const follow = (part: unknown): void => {
		for (const [, kind = "", name = ""] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
			found[kind] ??= {};
			if (name in found[kind]) continue;
			found[kind][name] = components[kind]?.[name];
			follow(found[kind][name]);
		}
	};
	follow(document);
	return found;
}
