import { randomBytes, randomUUID } from "node:crypto";
import type { Random } from "../ports/index.ts";

/** The operating system's source of chance. */
export const systemRandom: Random = {
	bytes: (length) => randomBytes(length),
	uuid: () => randomUUID(),
	fraction: () => randomBytes(4).readUInt32BE() / 2 ** 32,
};
