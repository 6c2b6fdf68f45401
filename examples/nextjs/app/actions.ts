"use server";

import { updateTag } from "next/cache";
import { redirect } from "next/navigation";
import { beginSession, currentPerson, endSession } from "../lib/session";
import { listOf } from "../lib/videos";

export async function signIn(form: FormData): Promise<void> {
	const name = `${form.get("name") ?? ""}`.trim();
	if (name !== "") await beginSession(name.slice(0, 80));
	redirect("/");
}

export async function signOut(): Promise<void> {
	await endSession();
	redirect("/");
}

/** Shows a new upload in its uploader's list. */
export async function showUpload(): Promise<void> {
	const person = await currentPerson();
	if (person) updateTag(listOf(person.ref));
}
