import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/mount.ts";
import { accountHandlers } from "./accounts.ts";
import { domainHandlers } from "./domains.ts";
import { jobHandlers } from "./jobs.ts";
import { playbackHandlers } from "./playback.ts";
import { serviceHandlers } from "./service.ts";
import { videoHandlers } from "./videos.ts";

export const createHandlers = (engine: Engine, version: string): Handlers => ({
	...serviceHandlers(version),
	...domainHandlers(engine),
	...videoHandlers(engine),
	...playbackHandlers(engine),
	...accountHandlers(engine),
	...jobHandlers(engine),
});
