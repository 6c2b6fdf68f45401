import type { Readiness } from "@reelmill/contracts";
import type { MetricValues } from "../operations/metrics.ts";
import type { ConsoleEntrance } from "../start/console.ts";
import type { Answering } from "../start/start-answering.ts";

/** What the primary process asks a process that has started. */
export type Question = "ready" | "own metrics" | "common metrics";

/** The answers. */
export type Answers = {
	readonly ready: Readiness;
	readonly "own metrics": MetricValues;
	readonly "common metrics": MetricValues;
};

/** What a process says once it answers requests. */
export type Started = Pick<Answering, "baseUrl" | "port" | "tenant"> & {
	/** `null` in all but the process that the server starts with. */
	readonly console: ConsoleEntrance | null;
};

/** From the primary process. */
export type Order =
	| {
			readonly kind: "start";
			readonly process: number;
			readonly processes: number;
			/** What it listens on: the setting, or the port that the server got. */
			readonly port: number;
			/** The port that the server got; null for the process that the server starts with. */
			readonly openPort: number | null;
	  }
	| { readonly kind: "ground"; readonly databaseUrl: string }
	| { readonly kind: "ask"; readonly id: number; readonly question: Question }
	| { readonly kind: "stop" };

/** To the primary process. */
export type Report =
	| { readonly kind: "ground"; readonly baseUrl: string }
	| { readonly kind: "started"; readonly started: Started }
	/** The start can't go on, and the message says why. */
	| { readonly kind: "refused"; readonly message: string }
	| { readonly kind: "answer"; readonly id: number; readonly value: unknown };
