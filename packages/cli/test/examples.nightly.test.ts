import { provesExamples } from "../../../scripts/examples/proves-examples.ts";
import { openService } from "../../http/test/support/open-service.ts";

provesExamples("cli", async () => {
	const service = await openService();
	const { apiKey } = await service.tenant();
	return {
		replace: { "https://video.example.com": service.url, ek_your_domain_key: apiKey },
		close: service.close,
	};
});
