type Values = Readonly<Record<string, unknown>>;

/**
 * The address of a call: the path's `{names}` filled in and escaped, the query appended; undefined query values are
 * left out.
 * @throws TypeError for a path value that is missing or empty, or that is `.` or `..` and would lead to another route
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
