import { defineOperation } from "../operation.ts";
import { ConsoleSignIn } from "../resources/console-sign-in.ts";

export const getConsoleSignIn = defineOperation({
	method: "GET",
	path: "/console/v1/sign-in",
	plane: "console",
	tag: "Console",
	summary: "Read how to sign in",
	description: "Open to everybody: the sign-in page asks it before anybody is signed in.",
	auth: "none",
	success: { status: 200, body: ConsoleSignIn },
	errors: ["not_found"],
});
