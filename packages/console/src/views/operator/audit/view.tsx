import type { AuditAction } from "@reelmill/contracts/audit-actions";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { usePages } from "../../../api/api.tsx";
import { useSession } from "../../../api/session.tsx";
import { EntryTable } from "../../../audit/entry-table.tsx";
import { Filters } from "../../../audit/filters.tsx";
import { Choice } from "../../../components/choice.tsx";
import { Id } from "../../../components/copy.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Page } from "../../../components/page.tsx";
import { More } from "../../../components/table.tsx";

const route = getRouteApi("/operator/audit");

export function AuditLog() {
	const { domain, actor, action } = route.useSearch();
	const input = { query: { domain_id: domain, actor, action: action as AuditAction | undefined } };
	const query = usePages("listAudit", input, { every: 10_000, keep: true });
	const isNarrowed = Boolean(domain || actor || action);
	return (
		<Page title="Audit log">
			<Filters actor={actor} action={action}>
				<DomainFilter domain={domain} />
			</Filters>
			<Loaded query={query}>
				{() =>
					query.items.length === 0 ? (
						<Empty title={isNarrowed ? "No such change" : "No change yet"}>
							<p>Changes to domains, keys, accounts and settings appear here, with who made them and from where.</p>
						</Empty>
					) : (
						<>
							<EntryTable entries={query.items} domain={(id) => <DomainName id={id} />} />
							<More query={query} count={query.items.length} />
						</>
					)
				}
			</Loaded>
		</Page>
	);
}

function DomainFilter({ domain = "" }: { domain: string | undefined }) {
	const { domains } = useSession();
	const navigate = useNavigate();
	const isGone = domain !== "" && !domains.some(({ id }) => id === domain);
	return (
		<Choice
			label="Domain"
			value={domain}
			onChange={(value) =>
				void navigate({ to: ".", search: ((before: object) => ({ ...before, domain: value || undefined })) as never })
			}
			options={[
				{ value: "", label: "All domains" },
				...(isGone ? [{ value: domain, label: `${domain.slice(0, 8)}…` }] : []),
				...domains.map(({ id, slug }) => ({ value: id, label: slug })),
			]}
		/>
	);
}

/** A domain by its slug, which leads to it; one that is gone by its id. */
function DomainName({ id }: { id: string | null }) {
	const found = useSession().domains.find((domain) => domain.id === id);
	if (id === null) return <span className="muted">all</span>;
	if (found === undefined) return <Id id={id} />;
	return (
		<Link to="/operator/domains/$id" params={{ id }}>
			{found.slug}
		</Link>
	);
}
