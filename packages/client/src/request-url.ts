type Values = Readonly<Record<string, unknown>>;

/**
 * Makes the address of a call: fills in and escapes the path's `{names}`, and appends the query without its undefined
 * values.
 * @throws {TypeError} when a path value is missing or empty, or is `.` or `..`, which would lead to another route
 */
export function requestUrl(baseUrl: string, path: string, params: Values = {}, query: Values = {}): string {
	const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = String(params[name] ?? "");
		if (value === "" || value === "." || value === "..")
			throw new TypeError(
				`The path ${path} needs a value for ${name}, not ${JSON.stringify(params[name]) ?? "undefined"}.`,
			);
		return encodeURIComponent(value);
	});
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
	let end = baseUrl.length;
	while (baseUrl[end - 1] === "/") end--;
	return `${baseUrl.slice(0, end)}${filled}${search.size > 0 ? `?${search}` : ""}`;
}
