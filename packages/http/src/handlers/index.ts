import { limits } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";
import type { HttpOptions } from "../options.ts";
import { accountHandlers } from "./accounts.ts";
import { adminHandlers } from "./admin.ts";
import { auditHandlers } from "./audit.ts";
import { captionHandlers } from "./captions.ts";
import { chapterHandlers } from "./chapters.ts";
import { clipHandlers } from "./clips.ts";
import { consoleHandlers } from "./console.ts";
import { consoleAccountHandlers } from "./console-accounts.ts";
import { consoleOauthHandlers } from "./console-oauth.ts";
import { domainHandlers } from "./domains.ts";
import { edgeHandlers } from "./edge.ts";
import { erasureHandlers } from "./erasures.ts";
import { importHandlers } from "./imports.ts";
import { jobHandlers } from "./jobs.ts";
import { operatorHandlers } from "./operator.ts";
import { outroHandlers } from "./outros.ts";
import { playbackHandlers } from "./playback.ts";
import { posterHandlers } from "./posters.ts";
import { sandboxHandlers } from "./sandbox.ts";
import { serviceHandlers } from "./service.ts";
import { storageHandlers } from "./storage.ts";
import { usageHandlers } from "./usage.ts";
import { videoHandlers } from "./videos.ts";
import { webhookHandlers } from "./webhooks.ts";

export const createHandlers = (engine: Engine, options: HttpOptions): Handlers => ({
	...serviceHandlers(engine),
	...domainHandlers(engine),
	...usageHandlers(engine),
	...sandboxHandlers(engine),
	...storageHandlers(engine),
	...videoHandlers(engine),
	...captionHandlers(engine),
	...chapterHandlers(engine),
	...clipHandlers(engine),
	...posterHandlers(engine),
	...erasureHandlers(engine),
	...importHandlers(engine),
	...outroHandlers(engine),
	...playbackHandlers(engine),
	...edgeHandlers(engine),
	...adminHandlers(engine),
	...operatorHandlers(engine, options.serverFacts),
	...accountHandlers(engine),
	...consoleAccountHandlers(engine),
	...consoleHandlers(engine, options),
	...consoleOauthHandlers(engine, options),
	...auditHandlers(engine),
	...jobHandlers(engine, options.archiveBytes ?? limits.archiveBytes),
	...webhookHandlers(engine),
});
