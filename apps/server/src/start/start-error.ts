/** The start can't go on. The message is one sentence that names what is wrong, and what to do about it. */
export class StartError extends Error {
	override readonly name = "StartError";
}
