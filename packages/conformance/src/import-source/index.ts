import type { Case } from "../case.ts";
import { addressCases } from "./addresses.ts";
import { fileCases } from "./files.ts";
import { refusalCases } from "./refusals.ts";
import type { ImportSourceSubject } from "./subject.ts";

/** The promises of every adapter of the ImportSource port. */
export const importSourceCases: readonly Case<ImportSourceSubject>[] = [...fileCases, ...refusalCases, ...addressCases];
