export { currentCaptions } from "./current-captions.ts";
export { editedOutputs } from "./edited-outputs.ts";
export { createEdits, type Edits, entriesOf, type FinishedVideo } from "./edits.ts";
export { listCaptions, listTranscript } from "./list-captions.ts";
export { createReadText } from "./read-text.ts";
