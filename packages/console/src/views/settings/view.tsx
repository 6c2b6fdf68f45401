import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useCall } from "../../api/api.tsx";
import { Code } from "../../components/copy.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { Panel } from "../../components/panel.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";
import type { Config } from "./config-fields.ts";
import { SettingsForm } from "./settings-form.tsx";

/** The domain's configuration, as a form and as the call that does the same. */
export function Settings() {
	const query = useCall("getDomain", {});
	const { slug } = useDomain();
	const [saved, setSaved] = useState<{ count: number; config: Config } | null>(null);
	return (
		<Page title="Settings" beside={<span role="status">{saved && <span className="muted">Saved.</span>}</span>}>
			<Loaded query={query}>
				{({ config }) => (
					<div className="parts">
						<SettingsForm
							key={saved?.count}
							config={saved?.config ?? config}
							onSaved={(next) => setSaved({ count: (saved?.count ?? 0) + 1, config: next })}
						/>
						<Panel title="Change settings from your code">
							<p className="muted">
								You find the webhook's address and secret under{" "}
								<Link to="/d/$domain/webhooks" params={{ domain: slug }}>
									Webhooks
								</Link>
								, the bucket under{" "}
								<Link to="/d/$domain/storage" params={{ domain: slug }}>
									Storage
								</Link>
								.
							</p>
							<Code label="Copy a call that changes a setting" text={call} />
						</Panel>
					</div>
				)}
			</Loaded>
		</Page>
	);
}

const call = `curl -X PATCH ${location.origin}/v1/domain/config \\
  -H "Authorization: Bearer $REELMILL_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"transcript":true}'`;
