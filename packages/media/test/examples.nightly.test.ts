import { provesExamples } from "../../../scripts/examples/proves-examples.ts";
import { clip } from "./support/sources.ts";

provesExamples("media", () => ({ files: { "clip.mp4": clip } }));
