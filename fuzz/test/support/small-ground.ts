import { createAnswerSchemas } from "../../api/answers.ts";
import { readOperations } from "../../api/document.ts";
import { createRoutes } from "../../api/routes.ts";
import { type Cases, createCases } from "../../generate/cases.ts";
import type { Ground } from "../../run/ground.ts";
import { createHttpSender, type Target } from "../../send/http.ts";
import { makeFixtures } from "../../world/files.ts";
import { createRegistry } from "../../world/registry.ts";
import { smallApi } from "./small-api.ts";
import { keys, secret, videos } from "./small-server.ts";

const fixtures = makeFixtures();

/**
 * Makes a ground for the small server, with two tenants that have one video each. A request without an answer after
 * `hangMilliseconds` counts as hanging.
 */
export async function smallGround(
	target: Target,
	seed: number,
	hangMilliseconds: number,
): Promise<{ ground: Ground; cases: Cases }> {
	const registry = createRegistry();
	for (const [owner, key] of Object.entries(keys)) {
		registry.credentials.set(key, { plane: "tenant", owner, isSound: "yes" });
		registry.secrets.add(key);
		registry.ids.set(videos[owner] ?? "", owner);
		registry.add(owner, "key", key);
		for (const name of ["video", "public", "private"]) registry.add(owner, name, videos[owner] ?? "");
	}
	registry.secrets.add(secret);
	const operations = readOperations(smallApi);
	const ground: Ground = {
		target,
		sender: createHttpSender(target, hangMilliseconds),
		world: { registry, tenants: Object.keys(keys), fixtures: await fixtures },
		routes: createRoutes(operations),
		schemas: createAnswerSchemas(smallApi),
		addressOf: () => undefined,
	};
	return { ground, cases: createCases(operations, seed) };
}
