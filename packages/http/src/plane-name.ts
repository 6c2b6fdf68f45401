/** The names of the planes that can be served. */
export const planeNames = ["tenant", "upload", "delivery", "internal", "admin", "console", "other"] as const;
/** The part of the API that a path belongs to. `other` holds the API's documents and every unknown path. */
export type PlaneName = (typeof planeNames)[number];

const prefixes: readonly (readonly [prefix: string, plane: PlaneName])[] = [
	["/videos/", "delivery"],
	["/v1/", "tenant"],
	["/uploads", "upload"],
	["/internal/v1/", "internal"],
	["/admin/v1/", "admin"],
	["/console/v1/", "console"],
];

/** Returns the plane that a path belongs to. */
export const planeNameOf = (path: string): PlaneName =>
	prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "other";
