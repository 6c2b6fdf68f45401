import type { DeliveryExchange } from "@reelmill/contracts";
import { Code } from "../../components/copy.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatDuration } from "../../format/amounts.ts";
import styles from "./exchange.module.css";

type Header = { readonly name: string; readonly value: string };

/** What an attempt sent and what came back, side by side. The answer is the endpoint's own text. */
export function Exchange({ exchange, body, url }: { exchange: DeliveryExchange | null; body: string; url: string }) {
	const request = exchange?.request ?? null;
	return (
		<div className="columns">
			<Panel title="Request">
				<div className="stack">
					<p>
						<strong>POST</strong> <bdi>{request?.url ?? url}</bdi>
					</p>
					{request && <Headers headers={request.headers} />}
					<Code text={readable(body)} label="Copy request body" />
				</div>
			</Panel>
			<Panel title="Answer">
				<Answer exchange={exchange} />
			</Panel>
		</div>
	);
}

function Answer({ exchange }: { exchange: DeliveryExchange | null }) {
	if (exchange === null) return <p className="muted">It is about to be sent.</p>;
	const { response, response_status, duration_ms, error } = exchange;
	return (
		<div className="stack">
			<p>
				<strong>{response_status ?? "none"}</strong>{" "}
				<span className="muted">
					{error === null ? "" : `${said(error)}, `}after {formatDuration(duration_ms / 1000)}
				</span>
			</p>
			{response === null ? (
				<p className="muted">
					{response_status === null
						? "No answer came."
						: "Only the answers to the last 20 attempts are kept, and this one is older."}
				</p>
			) : (
				<>
					<Headers headers={response.headers} />
					{response.body.text === "" ? (
						<p className="muted">The body is empty.</p>
					) : (
						<Code text={response.body.text} label="Copy answer body" wrap />
					)}
					{response.body.encoding === "base64" && <p className="muted small">The body is binary, shown as base64.</p>}
					{response.body.truncated && <p className="muted small">Only the first 2 KiB are kept.</p>}
				</>
			)}
		</div>
	);
}

const Headers = ({ headers }: { headers: readonly Header[] }) => (
	<details>
		<summary>
			{headers.length} {headers.length === 1 ? "header" : "headers"}
		</summary>
		<dl className={styles.headers}>
			{headers.map(({ name, value }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: A name may come twice; the list never changes.
				<div key={index}>
					<dt>
						<bdi>{name}</bdi>
					</dt>
					<dd>
						<bdi>{value}</bdi>
					</dd>
				</div>
			))}
		</dl>
	</details>
);

const sentences: Readonly<Record<string, string>> = {
	timeout: "it took longer than 10 s",
	redirect: "redirects are not followed",
	blocked_address: "the address is private or reserved",
	name_not_found: "the name has no address",
	connection_refused: "nobody listens at the port",
	connection_reset: "the connection was closed before an answer came",
	connection_failed: "no connection was made",
	webhook_not_configured: "there was no address or no secret at that moment",
};
const said = (error: string): string =>
	sentences[error] ?? (error.startsWith("status_") ? "not a 2xx" : error.replaceAll("_", " "));

function readable(body: string): string {
	try {
		return JSON.stringify(JSON.parse(body), null, 2);
	} catch {
		return body;
	}
}
