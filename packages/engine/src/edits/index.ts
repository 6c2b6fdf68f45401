export { currentCaptions } from "./current-captions.ts";
export { editedOutputs, outputsWith, replacedFiles } from "./edited-outputs.ts";
export { createEdits, type Edits, entriesOf, type FinishedVideo } from "./edits.ts";
export { listCaptions, listTranscript, rewritten } from "./list-captions.ts";
export { createReadText, type ReadText } from "./read-text.ts";
