import { countersAreExact, nobodyFalls, rowsMatchStorage, storageIsTidy } from "./at-rest.ts";
import { clipsAreWhatWasAsked } from "./clips.ts";
import { nothingEndsEarly } from "./early-ends.ts";
import { editsAreKept, oneEventAnEdit } from "./edits.ts";
import { importsEnd } from "./imports.ts";
import type { Breach, Invariant, Run } from "./invariant.ts";
import { noChunkTwice, noStaleByte, oneCompletion, oneWinnerAClaim } from "./jobs.ts";
import { everyLifeEnds, oneEventAMove, oneLife } from "./lives.ts";
import { recoversSoon, sessionsAreBounded } from "./recovery.ts";
import { liesAreRefused, powerCutsLoseNothing, troubleIsTold, wrongKeysAreRefused } from "./refusals.ts";
import { acknowledgedBytesLast, bytesAreTheSame, endsAreKept, initiatesAreKept, wholeUploadsGoOn } from "./uploads.ts";
import { deadWorkersAreReplaced, nobodyWaitsForEver, servesAgainSoon } from "./waiting.ts";
import { everyEventArrives, nothingUntrueIsTold } from "./webhooks.ts";

export const invariants: readonly Invariant[] = [
	initiatesAreKept,
	acknowledgedBytesLast,
	wholeUploadsGoOn,
	bytesAreTheSame,
	endsAreKept,
	oneLife,
	everyLifeEnds,
	oneEventAMove,
	oneWinnerAClaim,
	oneCompletion,
	noChunkTwice,
	noStaleByte,
	editsAreKept,
	oneEventAnEdit,
	clipsAreWhatWasAsked,
	importsEnd,
	everyEventArrives,
	nothingUntrueIsTold,
	countersAreExact,
	storageIsTidy,
	rowsMatchStorage,
	nobodyFalls,
	nobodyWaitsForEver,
	servesAgainSoon,
	deadWorkersAreReplaced,
	nothingEndsEarly,
	liesAreRefused,
	wrongKeysAreRefused,
	powerCutsLoseNothing,
	troubleIsTold,
	sessionsAreBounded,
	recoversSoon,
];

export type Verdict = { readonly invariant: Invariant; readonly breaches: readonly Breach[] };
export const judge = (run: Run): Verdict[] =>
	invariants.map((invariant) => ({ invariant, breaches: invariant.check(run) }));
