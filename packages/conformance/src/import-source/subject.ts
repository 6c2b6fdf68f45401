import type { ImportSource } from "@reelmill/engine/ports";

/** Two sources: one with its defaults, and one whose operator allowed 127.0.0.0/8 and ::1. */
export type ImportSourceSubject = { readonly guarded: ImportSource; readonly allowing: ImportSource };
