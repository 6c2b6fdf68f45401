import type { StorageView } from "@reelmill/node";

/** Says how far the copying of public videos has come; nothing if the storage has no public address. */
export function progressOf({ public_base_url, publications_waiting: waiting }: StorageView): string[] {
	if (waiting > 0)
		return [
			`Note: ${waiting === 1 ? "1 public video is" : `${waiting} public videos are`} not copied to public/ yet. Until then the service serves them; addresses that were given out before public/ was used need the rest of the key prefix open.`,
		];
	return public_base_url === null
		? []
		: ["Note: every public video is in public/: nothing else needs to be open to anyone."];
}
