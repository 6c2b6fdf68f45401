/** The routes that are no operations of the JSON planes, with what stands in the place of ids and names. */
const routes: readonly (readonly [RegExp, string])[] = [
	[/^\/uploads\/?$/, "/uploads"],
	[/^\/uploads\/[^/]+$/, "/uploads/{id}"],
	[/^\/videos\//, "/videos/{id}/{path}"],
	[/^\/internal\/v1\/jobs\/[^/]+\/source$/, "/internal/v1/jobs/{id}/source"],
	[/^\/internal\/v1\/jobs\/[^/]+\/outputs$/, "/internal/v1/jobs/{id}/outputs"],
	[/^\/internal\/v1\/jobs\/[^/]+\/parts$/, "/internal/v1/jobs/{id}/parts"],
];

/** Returns the route of a path outside of the JSON planes; `null` for every other path. */
export const routeOf = (path: string): string | null => routes.find(([pattern]) => pattern.test(path))?.[1] ?? null;
