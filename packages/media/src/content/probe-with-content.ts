import type { Run } from "../run/programs.ts";
import { probeWith } from "../source/probe.ts";
import type { SourceProbe } from "../types.ts";
import { lookAtContent } from "./look-at-content.ts";

/**
 * Measures a source, unless it was measured already, and looks at what it shows. Every process that encodes a part of it
 * plans by this probe, so all of them come to the same settings; `planDigest` finds the one that doesn't. Rejects as
 * `probeWith` does.
 */
export async function probeWithContent(run: Run, source: string, measured?: SourceProbe): Promise<SourceProbe> {
	const probe = measured ?? (await probeWith(run, source));
	return { ...probe, content: await lookAtContent(run, source, probe) };
}
