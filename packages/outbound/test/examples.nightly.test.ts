import { provesExamples } from "../../../scripts/examples/proves-examples.ts";

provesExamples("outbound");
