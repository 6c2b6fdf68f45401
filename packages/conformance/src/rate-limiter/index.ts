import type { Case } from "../case.ts";
import { countingCases } from "./counting.ts";
import { sharingCases } from "./sharing.ts";
import type { RateLimiterSubject } from "./subject.ts";

/** The promises of every adapter of the RateLimiter port. */
export const rateLimiterCases: readonly Case<RateLimiterSubject>[] = [...countingCases, ...sharingCases];
