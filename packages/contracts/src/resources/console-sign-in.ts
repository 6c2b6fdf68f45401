import * as z from "zod";

/** The ways to sign in to the console that this installation offers. */
export const ConsoleSignIn = z.object({
	secret: z.boolean().meta({ description: "Whether a self-host secret is set." }),
	provider: z.boolean().meta({ description: "Whether an identity provider is configured." }),
});
export type ConsoleSignIn = z.infer<typeof ConsoleSignIn>;
