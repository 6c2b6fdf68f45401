import { useState } from "react";
import { Choice } from "../../components/choice.tsx";
import { Code } from "../../components/copy.tsx";
import { Panel } from "../../components/panel.tsx";

type Framework = "express" | "fastify" | "hono" | "next" | "other";

const handling = `// The same event may come twice: do nothing for an id that you have seen.
// Types that you don't know, such as webhook.test, need nothing.
const onEvent = async (event) => {
  if (event.type === "video.ready") console.log(event.data.video.id, event.data.video.outputs);
};`;
const secret = "const secret = process.env.REELMILL_WEBHOOK_SECRET;";

/** Lines for a back end that receives at `path`. */
const snippets: Readonly<Record<Framework, (path: string) => string>> = {
	express: (path) => `import { webhookHandler } from "@reelmill/node/express";

${secret}
${handling}
// before express.json(): the signature is over the raw body
app.post(${path}, webhookHandler({ secret, onEvent }));`,
	fastify: (path) => `import { webhookPlugin } from "@reelmill/node/fastify";

${secret}
${handling}
app.register(webhookPlugin, { path: ${path}, secret, onEvent });`,
	hono: (path) => `import { webhookHandler } from "@reelmill/node/hono";

${secret}
${handling}
app.post(${path}, webhookHandler({ secret, onEvent }));`,
	next: (path) => `// app${path.slice(1, -1)}/route.ts
import { webhookHandler } from "@reelmill/node/next";

${secret}
${handling}
export const POST = webhookHandler({ secret, onEvent });`,
	other: () => `import { verifyWebhook } from "@reelmill/node";

${secret}
// payload: the raw body, never one that was parsed and written again
const event = await verifyWebhook({ payload, headers: request.headers, secret });
// Answer 2xx, also for types that you don't know, such as webhook.test.`,
};

/** The lines that tell our deliveries from others', to copy into a back end that receives at `url`. */
export function Snippet({ url }: { url: string | null }) {
	const [framework, setFramework] = useState<Framework>("express");
	const path = JSON.stringify(url !== null && URL.canParse(url) ? new URL(url).pathname : "/hooks/video");
	return (
		<details>
			<summary>Verify deliveries in your back end</summary>
			<Panel
				title="Verification"
				actions={
					<Choice
						label="Framework"
						isLabelHidden
						value={framework}
						onChange={setFramework}
						options={[
							{ value: "express", label: "Express" },
							{ value: "fastify", label: "Fastify" },
							{ value: "hono", label: "Hono" },
							{ value: "next", label: "Next.js" },
							{ value: "other", label: "Another" },
						]}
					/>
				}
			>
				<div className="stack">
					<Code text="npm install @reelmill/node" label="Copy command" />
					<Code text={snippets[framework](path)} label="Copy verification snippet" />
				</div>
			</Panel>
		</details>
	);
}
