import { fileURLToPath } from "node:url";
import { provesExamples } from "../../../scripts/examples/proves-examples.ts";
import { adminKey, openService } from "../../http/test/support/open-service.ts";

provesExamples("node", async () => {
	const service = await openService();
	const { apiKey } = await service.tenant();
	return {
		replace: {
			"https://video.example.com": service.url,
			ek_your_domain_key: apiKey,
			"your-admin-key": adminKey,
		},
		files: { "clip.mp4": fileURLToPath(new URL("./clip.mp4", import.meta.url)) },
		close: service.close,
	};
});
