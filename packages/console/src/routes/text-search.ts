/** Filters live in the URL as plain texts: `state=failed`, never JSON. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));

/** Writes them back without those that have no value. */
export function stringifySearch(search: Record<string, unknown>): string {
	const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== "");
	const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
	return text === "" ? "" : `?${text}`;
}

/** A route's `validateSearch` for filters of these names; what else the URL holds is left out. */
export const textSearch =
	<Name extends string>(...names: Name[]) =>
	(search: Record<string, unknown>): { [_ in Name]?: string } =>
		Object.fromEntries(
			names.flatMap((name) => (typeof search[name] === "string" && search[name] !== "" ? [[name, search[name]]] : [])),
		) as { [_ in Name]?: string };
