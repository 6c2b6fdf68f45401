import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Value = { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean };
type Attribute = { readonly key: string; readonly value: Value };
type SentSpan = {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly name: string;
	readonly kind: number;
	readonly attributes: readonly Attribute[];
	readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
	readonly status?: { readonly code?: number };
};
type SentTraces = {
	readonly resourceSpans: readonly {
		readonly resource: { readonly attributes: readonly Attribute[] };
		readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
	}[];
};

/** A span as a test reads it. */
export type CollectedSpan = Omit<SentSpan, "attributes" | "kind"> & {
	readonly service: string;
	readonly kind: "internal" | "server" | "client" | "producer" | "consumer" | "unknown";
	readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
};

const kinds = ["unknown", "internal", "server", "client", "producer", "consumer"] as const;

const read = (attributes: readonly Attribute[]): CollectedSpan["attributes"] =>
	Object.fromEntries(
		attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
	);

/** Starts a collector of traces that takes OTLP over HTTP in JSON, as programs send it by default to port 4318. */
export async function startCollector() {
	const spans: CollectedSpan[] = [];
	let sent = "";
	const server = createServer(async (request, response) => {
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part as Buffer);
		const text = Buffer.concat(parts).toString();
		if (request.url !== "/v1/traces") return void response.writeHead(404).end();
		sent += text;
		for (const { resource, scopeSpans } of (JSON.parse(text) as SentTraces).resourceSpans) {
			const service = String(read(resource.attributes)["service.name"]);
			for (const span of scopeSpans.flatMap((scope) => scope.spans))
				spans.push({
					...span,
					service,
					kind: kinds[span.kind] ?? "unknown",
					attributes: read(span.attributes),
				});
		}
		response.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		spans,
		/** All that was sent, as it came. */
		text: () => sent,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
