import { open } from "node:fs/promises";

/** Writes to its file, and obeys commands on a channel. Each answer is a command's result, and how long it took. */
const file = await open(process.argv[2] as string, "w");
process.on("message", async (call: "write" | "sync" | "eat") => {
	const startedAt = performance.now();
	const done = call === "write" ? file.write(Buffer.alloc(100_000, 7)) : call === "sync" ? file.datasync() : eat();
	const code = await done.then(
		() => "ok",
		(error: NodeJS.ErrnoException) => error.code,
	);
	process.send?.({ code, milliseconds: performance.now() - startedAt });
});

async function eat(): Promise<void> {
	for (const held: Buffer[] = []; ; ) held.push(Buffer.alloc(10_000_000, 1));
}
