import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { usePages } from "../../../api/api.tsx";
import { Button } from "../../../components/button.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Page } from "../../../components/page.tsx";
import { More, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { formatBytes } from "../../../format/amounts.ts";
import { CreateDomain } from "./create-domain.tsx";

export function Domains() {
	const [isCreating, setCreating] = useState(false);
	const query = usePages("listDomains", { query: {} }, { every: 30_000 });
	const create = (
		<Button kind="primary" onPress={() => setCreating(true)}>
			Create a domain
		</Button>
	);
	return (
		<Page title="Domains" actions={create}>
			<Loaded query={query}>
				{() =>
					query.items.length === 0 ? (
						<Empty title="No domain yet">
							<p>Each tenant has a domain with its own key, limits and settings.</p>
							{create}
						</Empty>
					) : (
						<>
							<Table
								label="Domains"
								isLinked
								rows={query.items}
								rowKey={({ id }) => id}
								columns={[
									{
										name: "Slug",
										cell: ({ id, slug }) => (
											<Link to="/operator/domains/$id" params={{ id }}>
												{slug}
											</Link>
										),
									},
									{
										name: "Key",
										cell: ({ key_last4: last4 }) =>
											last4 === "" ? <span className="muted">none</span> : <code>...{last4}</code>,
									},
									{
										name: "Uploads per day",
										numeric: true,
										wide: true,
										cell: ({ limits }) => formatBytes(limits.daily_upload_bytes),
									},
									{
										name: "Storage",
										numeric: true,
										wide: true,
										cell: ({ limits }) => formatBytes(limits.storage_bytes_limit),
									},
									{
										name: "Videos at once",
										numeric: true,
										wide: true,
										cell: ({ limits }) => limits.max_concurrent_processing,
									},
									{ name: "Created", numeric: true, cell: ({ created_at: at }) => <Time at={at} /> },
								]}
							/>
							<More query={query} count={query.items.length} />
						</>
					)
				}
			</Loaded>
			<CreateDomain isOpen={isCreating} onClose={() => setCreating(false)} />
		</Page>
	);
}
