import type { Case } from "../case.ts";
import { copyCases } from "./copies.ts";
import { keyCases } from "./keys.ts";
import { listCases } from "./lists.ts";
import { openedCases } from "./opened.ts";
import { presignCases } from "./presigned-urls.ts";
import { readCases } from "./reads.ts";
import type { ObjectStorageSubject } from "./subject.ts";
import { surveyCases } from "./surveys.ts";
import { writeCases } from "./writes.ts";

/** The promises of every adapter of the ObjectStorage port. */
export const objectStorageCases: readonly Case<ObjectStorageSubject>[] = [
	...keyCases,
	...writeCases,
	...readCases,
	...listCases,
	...presignCases,
	...openedCases,
	...copyCases,
	...surveyCases,
];
