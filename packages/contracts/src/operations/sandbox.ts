import { defineOperation } from "../operation.ts";
import { SandboxSession } from "../resources/sandbox.ts";

export const createSandboxSession = defineOperation({
	method: "POST",
	path: "/v1/sandbox/session",
	plane: "tenant",
	tag: "Sandbox",
	summary: "Mint a sandbox key without signing up",
	description:
		"The key is good for 24 hours and sees only its own videos: 5 at most, watermarked, purged 24 hours after their upload. Three sessions per IP in any 24 hours. An installation without a sandbox answers `not_found`.",
	auth: "none",
	unaudited: "a visitor's trial, without a tenant who would read the log",
	success: { status: 200, body: SandboxSession },
	errors: ["rate_limited", "not_found"],
});
