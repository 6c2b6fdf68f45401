import { createHmac, timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";

// Everybody may call themselves as they like here. Put your own sign-in in the place of this file.

export type Person = { readonly ref: string };

/** Returns who sends this request; null if nobody is signed in. */
export async function currentPerson(): Promise<Person | null> {
	const [name = "", signature = ""] = (await cookies()).get("session")?.value.split(".") ?? [];
	const [given, wanted] = [Buffer.from(signature), Buffer.from(sign(name))];
	if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
	return { ref: Buffer.from(name, "base64url").toString() };
}

export async function beginSession(ref: string): Promise<void> {
	const name = Buffer.from(ref).toString("base64url");
	(await cookies()).set("session", `${name}.${sign(name)}`, { httpOnly: true, sameSite: "lax" });
}

export async function endSession(): Promise<void> {
	(await cookies()).delete("session");
}

function sign(name: string): string {
	const { SESSION_SECRET } = process.env;
	if (!SESSION_SECRET) throw new Error("SESSION_SECRET is not set.");
	return createHmac("sha256", SESSION_SECRET).update(name).digest("base64url");
}
