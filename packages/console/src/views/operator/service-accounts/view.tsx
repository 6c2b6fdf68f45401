import type { CallResult } from "@reelmill/client";
import { useState } from "react";
import { usePages } from "../../../api/api.tsx";
import { Button } from "../../../components/button.tsx";
import { Code, Id } from "../../../components/copy.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Page } from "../../../components/page.tsx";
import { Secret } from "../../../components/secret.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { More, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { CreateServiceAccount } from "./create.tsx";
import { RevokeServiceAccount } from "./revoke.tsx";
import { RotateServiceAccount } from "./rotate.tsx";

type Account = CallResult<"listServiceAccounts">["data"][number];
/** A secret that is shown this once, and until when the one before it works. */
type Shown = { readonly account: Account; readonly secret: string; readonly previousUntil?: string };

/** The accounts by which workers sign in. */
export function ServiceAccounts() {
	const query = usePages("listServiceAccounts", { query: {} });
	const [isCreating, setCreating] = useState(false);
	const [rotating, setRotating] = useState<Account | null>(null);
	const [revoking, setRevoking] = useState<Account | null>(null);
	const [shown, setShown] = useState<Shown | null>(null);
	const create = (
		<Button kind="primary" onPress={() => setCreating(true)}>
			Create service account
		</Button>
	);
	return (
		<Page title="Service accounts" actions={create}>
			<p className="muted">Workers sign in with the name and the secret of a service account.</p>
			<Loaded query={query}>
				{() =>
					query.items.length === 0 ? (
						<Empty title="No service accounts yet">
							<p>Create one for the machines that encode. The server's own workers don't need one.</p>
						</Empty>
					) : (
						<>
							<Table
								label="Service accounts"
								rows={query.items}
								rowKey={({ id }) => id}
								columns={[
									{ name: "Name", cell: ({ name }) => name },
									{ name: "State", cell: (account) => <State account={account} /> },
									{ name: "Id", wide: true, cell: ({ id }) => <Id id={id} /> },
									{ name: "Created", wide: true, numeric: true, cell: (row) => <Time at={row.created_at} /> },
									{
										name: "Actions",
										isActions: true,
										cell: (account) =>
											account.revoked_at === null && (
												<span className="row">
													<Button
														size="small"
														aria-label={`Rotate ${account.name}`}
														onPress={() => setRotating(account)}
													>
														Rotate
													</Button>
													<Button
														size="small"
														kind="danger"
														aria-label={`Revoke ${account.name}`}
														onPress={() => setRevoking(account)}
													>
														Revoke
													</Button>
												</span>
											),
									},
								]}
							/>
							<More query={query} count={query.items.length} />
						</>
					)
				}
			</Loaded>
			<CreateServiceAccount
				isOpen={isCreating}
				onClose={() => setCreating(false)}
				onCreated={({ service_account: account, secret }) => setShown({ account, secret })}
			/>
			<RotateServiceAccount
				account={rotating}
				onClose={() => setRotating(null)}
				onRotated={({ service_account: account, secret, previous_secret_expires_at: previousUntil }) =>
					setShown({ account, secret, previousUntil })
				}
			/>
			<RevokeServiceAccount account={revoking} onClose={() => setRevoking(null)} />
			<Secret
				title={`The secret of ${shown?.account.name ?? ""}`}
				secret={shown?.secret ?? null}
				onClose={() => setShown(null)}
			>
				{shown && <HowToUse {...shown} />}
			</Secret>
		</Page>
	);
}

function State({ account: { revoked_at } }: { account: Account }) {
	if (revoked_at === null) return <StateBadge state="active" tone="good" />;
	return (
		<span className="row">
			<StateBadge state="revoked" tone="idle" />
			<span className="muted small">
				<Time at={revoked_at} />
			</span>
		</span>
	);
}

function HowToUse({ account, previousUntil }: Shown) {
	const settings = `REELMILL_API_URL=${window.location.origin}\nREELMILL_SERVICE_NAME='${account.name.replaceAll("'", `'\\''`)}'\nREELMILL_SERVICE_SECRET=…`;
	return (
		<>
			{previousUntil !== undefined && (
				<p>
					The old secret works until <Time at={previousUntil} />. Give the new one to every worker before that.
				</p>
			)}
			<p>A transcoder reads it from its environment:</p>
			<Code text={settings} label="Copy settings" />
		</>
	);
}
