const done: Readonly<Record<string, string>> = {
	connect: "reach the server",
	write: "write an object and an upload",
	read: "read them back",
	presign: "fetch them by presigned addresses",
	delete: "list and delete them",
};
const order = ["connect", "write", "read", "presign", "delete"];

/** Returns a line for each step of the check, up to the failed one. */
export function stepLines(failed: string | null, steps: readonly string[]): string[] {
	const shown =
		failed === null
			? order.filter((step) => step === "connect" || steps.includes(step))
			: order.slice(0, order.indexOf(failed) + 1);
	return shown.map((step) => `${step === failed ? "FAILED" : "ok    "}  ${done[step]}`);
}
