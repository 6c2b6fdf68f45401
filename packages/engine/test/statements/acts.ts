import { edits } from "./acts/edits.ts";
import { imports } from "./acts/imports.ts";
import { jobs } from "./acts/jobs.ts";
import { operators } from "./acts/operators.ts";
import { uploads } from "./acts/uploads.ts";
import { viewers } from "./acts/viewers.ts";
import type { World } from "./world.ts";

/** What is done in an installation, by everyone: each act by itself, with a tenant of its own. */
export const acts: Readonly<Record<string, (world: World) => Promise<void>>> = {
	...uploads,
	...imports,
	...jobs,
	...edits,
	...viewers,
	...operators,
};
