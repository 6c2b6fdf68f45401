import type { Case } from "../case.ts";
import { countingCases } from "./counting.ts";
import { sharingCases } from "./sharing.ts";
import type { RateLimiterSubject } from "./subject.ts";

/** What every adapter of the RateLimiter port keeps. */
export const rateLimiterCases: readonly Case<RateLimiterSubject>[] = [...countingCases, ...sharingCases];
