import { useState } from "react";
import { Choice } from "../../components/choice.tsx";
import { Code } from "../../components/copy.tsx";
import { Panel } from "../../components/panel.tsx";

const body = `	// The same event may come twice: do nothing for an id that you have seen.
	// A type that you don't know, such as webhook.test, needs no more than the 2xx.
	if (event.type === "video.ready") console.log(event.data.video.id, event.data.video.outputs);`;

const snippets = {
	hono: `import { verifyWebhook } from "@reelmill/node";
import { Hono } from "hono";

const app = new Hono();
app.post("/hooks/video", async (context) => {
	const payload = await context.req.text(); // the raw body: never one that was parsed and written again
	const secret = process.env.REELMILL_WEBHOOK_SECRET;
	const event = await verifyWebhook({ payload, headers: context.req.raw.headers, secret });
${body}
	return context.body(null, 204);
});`,
	express: `import { verifyWebhook } from "@reelmill/node";
import express from "express";

const app = express();
// express.raw: the raw body, never one that was parsed and written again
app.post("/hooks/video", express.raw({ type: "*/*" }), async (request, response) => {
	const secret = process.env.REELMILL_WEBHOOK_SECRET;
	const event = await verifyWebhook({ payload: request.body, headers: request.headers, secret });
${body}
	response.sendStatus(204);
});`,
} as const;

/** The lines that tell our deliveries from others', to copy into a back end. */
export function Snippet() {
	const [framework, setFramework] = useState<keyof typeof snippets>("hono");
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
							{ value: "hono", label: "Hono" },
							{ value: "express", label: "Express" },
						]}
					/>
				}
			>
				<div className="stack">
					<Code text="npm install @reelmill/node" label="Copy command" />
					<Code text={snippets[framework].replaceAll("\t", "  ")} label="Copy verification snippet" />
				</div>
			</Panel>
		</details>
	);
}
