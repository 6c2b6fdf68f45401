import { conforms, importSourceCases } from "@reelmill/conformance";
import { createImportSource } from "@reelmill/outbound";
import { describe, it } from "vitest";

async function open() {
	const guarded = createImportSource({ allow: [] });
	const allowing = createImportSource({ allow: ["127.0.0.0/8", "::1/128"] });
	return {
		subject: { guarded, allowing },
		async close() {
			await Promise.all([guarded.close(), allowing.close()]);
		},
	};
}

conforms("import source", importSourceCases, open, { describe, it });
