import type { Case } from "../case.ts";
import { appendCases } from "./appends.ts";
import { failureCases } from "./failures.ts";
import { interruptionCases } from "./interruptions.ts";
import { lifeCases } from "./life.ts";
import { presignCases } from "./presign.ts";
import type { UploadStoreSubject } from "./subject.ts";
import { surveyCases } from "./surveys.ts";
import { wholenessCases } from "./wholeness.ts";

/** The promises of every adapter of the UploadStore port. */
export const uploadStoreCases: readonly Case<UploadStoreSubject>[] = [
	...lifeCases,
	...appendCases,
	...interruptionCases,
	...failureCases,
	...wholenessCases,
	...presignCases,
	...surveyCases,
];
