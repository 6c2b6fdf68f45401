import type { AnswerSchemas } from "../api/answers.ts";
import type { Routes } from "../api/routes.ts";
import type { Case } from "../generate/case.ts";
import type { HttpSender, Target } from "../send/http.ts";
import type { Counts } from "../watch/counts.ts";
import type { Resolver } from "../world/resolve.ts";
import type { World } from "../world/world.ts";

/** What cases run on. */
export type Ground = {
	readonly target: Target;
	readonly sender: HttpSender;
	readonly world: World;
	readonly routes: Routes;
	readonly schemas: AnswerSchemas;
	/** Returns a client's address; undefined if the system has only one. */
	readonly addressOf: (number: number) => string | undefined;
};

/** A case that runs. Each of its steps gets the whole of it. */
export type RunningCase = {
	readonly ground: Ground;
	readonly number: number;
	readonly one: Case;
	readonly resolver: Resolver;
	readonly from: string | undefined;
	readonly counts: Counts | undefined;
	readonly onExchange: ((line: string) => void) | undefined;
};
