import { inject } from "vitest";
import { provesExamples } from "../../../scripts/examples/proves-examples.ts";

provesExamples("storage-s3", () => {
	const { endpoint, accessKeyId, secretAccessKey } = inject("s3");
	return {
		replace: { "http://127.0.0.1:7480": endpoint, "the-access-key": accessKeyId, "the-secret-key": secretAccessKey },
	};
});
