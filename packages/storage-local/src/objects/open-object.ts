import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { OpenedObject } from "@reelmill/engine/ports";
import type { DiskLanes } from "../disk/disk-lanes.ts";
import { isMissing } from "../disk/read-bytes.ts";

/** Opens the file at `path` and holds it open; returns null if there is no file of that name. */
export async function openObject(path: string, lanes: Pick<DiskLanes, "read">): Promise<OpenedObject | null> {
	const file = await lanes
		.read(() => open(path, constants.O_RDONLY))
		.catch((error: unknown) => {
			if (isMissing(error)) return null;
			throw error;
		});
	if (file === null) return null;
	try {
		const found = await file.stat();
		if (!found.isFile()) {
			await file.close();
			return null;
		}
		return {
			size: found.size,
			descriptor: file.fd,
			async read(target, position) {
				for (let count = 0; ; ) {
					const { bytesRead } = await lanes.read(() =>
						file.read(target, count, target.length - count, position + count),
					);
					count += bytesRead;
					if (bytesRead === 0 || count === target.length) return count;
				}
			},
			close: () => file.close(),
		};
	} catch (error) {
		await file.close();
		throw error;
	}
}
