import { useState } from "react";
import { useAction, usePages } from "../../../api/api.tsx";
import { useSession } from "../../../api/session.tsx";
import { Button } from "../../../components/button.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Page } from "../../../components/page.tsx";
import { Problem } from "../../../components/problem.tsx";
import { More, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { Access } from "./access.tsx";
import { Disable } from "./disable.tsx";
import { type Account, nameOf, Person } from "./person.tsx";

/** The people who use the console, and what they may see. */
export function Accounts() {
	const { account: self, domains } = useSession();
	const query = usePages("listConsoleAccounts", { query: {} });
	const enable = useAction("enableConsoleAccount", { changes: ["listConsoleAccounts"] });
	const [changing, setChanging] = useState<Account | null>(null);
	const [disabling, setDisabling] = useState<Account | null>(null);
	const slugs = new Map(domains.map(({ id, slug }) => [id, slug]));
	return (
		<Page title="Accounts">
			<p className="muted">
				People appear here after they first sign in. A member sees nothing until an admin gives them a domain.
			</p>
			<Problem error={enable.error} />
			<Loaded query={query}>
				{() =>
					query.items.length === 0 ? (
						<Empty title="No accounts yet">
							<p>Sign in with the console secret or with your identity provider.</p>
						</Empty>
					) : (
						<>
							<Table
								label="Accounts"
								rows={query.items}
								rowKey={({ id }) => id}
								columns={[
									{ name: "Person", cell: (row) => <Person account={row} isSelf={row.id === self.id} /> },
									{ name: "Sees", cell: (row) => <Sees account={row} slugs={slugs} /> },
									{
										name: "Last sign-in",
										wide: true,
										numeric: true,
										cell: (row) => <Time at={row.last_signed_in_at} />,
									},
									{
										name: "Actions",
										isActions: true,
										cell: (row) => (
											<span className="row">
												{row.issuer !== null && (
													<Button
														size="small"
														aria-label={`Change access of ${nameOf(row)}`}
														onPress={() => setChanging(row)}
													>
														Change access
													</Button>
												)}
												{row.disabled_at === null ? (
													<Button size="small" aria-label={`Disable ${nameOf(row)}`} onPress={() => setDisabling(row)}>
														Disable
													</Button>
												) : (
													<Button
														size="small"
														aria-label={`Enable ${nameOf(row)}`}
														isPending={enable.isPending && enable.variables.params.id === row.id}
														onPress={() => enable.mutate({ params: { id: row.id } })}
													>
														Enable
													</Button>
												)}
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
			<Access account={changing} onClose={() => setChanging(null)} />
			<Disable account={disabling} onClose={() => setDisabling(null)} />
		</Page>
	);
}

/** So many domains are named; the others are counted. */
const named = 4;

function Sees({ account, slugs }: { account: Account; slugs: ReadonlyMap<string, string> }) {
	if (account.role === "admin") return <>All, as admin</>;
	if (account.domain_ids.length === 0) return <span className="muted">None</span>;
	const shown = account.domain_ids.slice(0, named).map((id) => slugs.get(id) ?? id);
	const others = account.domain_ids.length - shown.length;
	return (
		<>
			{shown.join(", ")}
			{others > 0 && ` and ${others} more`}
		</>
	);
}
