import { type FragmentedFile, openFragments, writeFragments } from "./fragments.ts";

/**
 * Joins the CMAF files of chunks of the same settings into one file, without an encode. It copies the fragments, moves
 * their times, continues their numbers and writes one index for all. After a failure `target` is not whole.
 * @throws {Error} when the chunks need decoders that are set up differently, or a file is no such chunk
 */
export async function joinChunks(chunks: readonly string[], target: string): Promise<void> {
	const opened: FragmentedFile[] = [];
	try {
		for (const path of chunks) opened.push(await openFragments(path));
		const [first, ...others] = opened as [FragmentedFile, ...FragmentedFile[]];
		if (others.some(({ initialisation }) => !initialisation.equals(first.initialisation)))
			throw new Error("The chunks' encoders set their decoders up differently.");
		await writeFragments(
			target,
			first,
			opened.flatMap(({ fragments }) => fragments),
		);
	} finally {
		for (const file of opened) await file.close();
	}
}
