import type { OpenApiDocument } from "./document.ts";

type Components = Record<string, Record<string, unknown>>;
const pointer = /"#\/components\/(\w+)\/(\w+)"/g;

/** Removes the components that no path and no webhook of the document needs. */
export function withoutUnused(document: OpenApiDocument): OpenApiDocument {
	const { components, ...rest } = document;
	const all = components as Components;
	const used = new Set<string>();
	const follow = (part: unknown): void => {
		for (const [, kind = "", name = ""] of JSON.stringify(part).matchAll(pointer)) {
			if (used.has(`${kind}/${name}`)) continue;
			used.add(`${kind}/${name}`);
			follow(all[kind]?.[name]);
		}
	};
	follow(rest);
	for (const name of credentialsOf(rest)) used.add(`securitySchemes/${name}`);
	const kept = Object.entries(all).map(
		([kind, named]) => [kind, Object.entries(named).filter(([name]) => used.has(`${kind}/${name}`))] as const,
	);
	return {
		...rest,
		components: Object.fromEntries(
			kept.filter(([, named]) => named.length > 0).map(([kind, named]) => [kind, Object.fromEntries(named)]),
		),
	};
}

function credentialsOf({ paths, security: documents = [] }: Pick<OpenApiDocument, "paths" | "security">): string[] {
	const operations = Object.values(paths).flatMap((item) => Object.values(item));
	return [{ security: documents }, ...operations].flatMap(({ security = [] }) =>
		security.flatMap((requirement) => Object.keys(requirement)),
	);
}
