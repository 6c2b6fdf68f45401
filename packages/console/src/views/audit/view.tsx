import type { AuditAction } from "@reelmill/contracts/audit-actions";
import { getRouteApi } from "@tanstack/react-router";
import { usePages } from "../../api/api.tsx";
import { EntryTable } from "../../audit/entry-table.tsx";
import { Filters } from "../../audit/filters.tsx";
import { isOfDomain } from "../../audit/words.ts";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { More } from "../../components/table.tsx";

const route = getRouteApi("/d/$domain/audit");

export function Audit() {
	const { actor, action } = route.useSearch();
	const input = { query: { actor, action: action as AuditAction | undefined } };
	const query = usePages("listDomainAudit", input, { every: 10_000, keep: true });
	return (
		<Page title="Audit">
			<Filters actor={actor} action={action} isShown={isOfDomain} />
			<Loaded query={query}>
				{() =>
					query.items.length === 0 ? (
						<Empty title={actor || action ? "No such change" : "No change yet"}>
							<p>
								Changes to settings, keys, storage and outros appear here, and videos that were deleted or made public.
							</p>
						</Empty>
					) : (
						<>
							<EntryTable entries={query.items} />
							<More query={query} count={query.items.length} />
						</>
					)
				}
			</Loaded>
		</Page>
	);
}
