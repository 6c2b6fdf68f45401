import type { ExampleChoice } from "../../../../scripts/examples/proves-examples.ts";

/** Whether an example encodes, which takes seconds of the processor. */
export const encodes: ExampleChoice = ({ code }) =>
	/\b(?:processVideo|makeMezzanine|appendOutro|encodeChunk)\(/.test(code);
