import type { PlaneName } from "./options.ts";

const prefixes: readonly (readonly [prefix: string, plane: PlaneName])[] = [
	["/videos/", "delivery"],
	["/v1/", "tenant"],
	["/uploads", "upload"],
	["/internal/v1/", "internal"],
	["/admin/v1/", "admin"],
	["/console/v1/", "console"],
];

/** The plane that a path belongs to. */
export const planeNameOf = (path: string): PlaneName =>
	prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? "other";
