import { setConnection } from "../api/connection.ts";
import { versionOnServer } from "./new-version.ts";

const pauseMilliseconds = 3000;

/** Says that the server answers, and has no such part: another version of the page is out there. */
export class PartMissing extends Error {
	readonly version: string;

	constructor(version: string, cause: unknown) {
		super("This part of the page can't be loaded.", { cause });
		this.version = version;
	}
}

/**
 * Loads a part of the page, such as a view's code. While the server does not answer, it tries again every few seconds.
 *
 * @throws {PartMissing} if the server answers, and the part can't be loaded all the same.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
	let wasThere = false;
	for (;;) {
		try {
			return await load();
		} catch (error) {
			const version = await versionOnServer();
			if (version !== null && wasThere) throw new PartMissing(version, error);
			wasThere = version !== null;
			setConnection(wasThere ? "found" : "lost");
			if (!wasThere) await pause();
		}
	}
}

/** Resolves after a pause, or as soon as the browser says that the network is back. */
const pause = (): Promise<void> =>
	new Promise((resolve) => {
		const end = () => {
			clearTimeout(timer);
			window.removeEventListener("online", end);
			resolve();
		};
		const timer = setTimeout(end, pauseMilliseconds);
		window.addEventListener("online", end);
	});
