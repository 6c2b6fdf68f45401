import { useCall } from "../../api/api.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { Endpoint } from "./endpoint.tsx";
import { Log } from "./log.tsx";
import { SigningSecret } from "./signing-secret.tsx";
import { Snippet } from "./snippet.tsx";
import { TestEvent } from "./test-event.tsx";

/** Where events go, by what they are known as genuine, and what became of each. */
export function Webhooks() {
	const domain = useCall("getDomain", {}, { every: 30_000 });
	const isReady =
		domain.data !== undefined && domain.data.config.webhook_url !== null && domain.data.webhook_secret_set;
	return (
		<Page title="Webhooks" actions={<TestEvent isReady={isReady} />}>
			<div className="parts">
				<Loaded query={domain}>
					{(found) => (
						<div className="columns">
							<Endpoint domain={found} />
							<SigningSecret domain={found} />
						</div>
					)}
				</Loaded>
				<Snippet url={domain.data?.config.webhook_url ?? null} />
				<Log isReady={isReady} />
			</div>
		</Page>
	);
}
