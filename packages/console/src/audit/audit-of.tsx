import { usePages } from "../api/api.tsx";
import { Loaded } from "../components/loaded.tsx";
import { More } from "../components/table.tsx";
import { EntryTable } from "./entry-table.tsx";

/** What the domain's log says of one thing, by its id: a video, an outro's slug, a viewer. A part of a view's page. */
export function AuditOf({ resource }: { resource: string }) {
	const query = usePages("listDomainAudit", { query: { resource_id: resource } });
	return (
		<Loaded query={query}>
			{() =>
				query.items.length === 0 ? (
					<p className="muted">Nobody has changed it.</p>
				) : (
					<>
						<EntryTable entries={query.items} isOfOne />
						{query.hasNextPage && <More query={query} count={query.items.length} />}
					</>
				)
			}
		</Loaded>
	);
}
