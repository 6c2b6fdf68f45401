import type { CallResult } from "@reelmill/client";
import styles from "./domain.module.css";
import { type LimitName, limitFields, type Patch, shown } from "./draft.ts";

type DifferenceProps = { domain: CallResult<"getAdminDomain">; patch: Patch };

/** What saving would change: each value as it is, and as it will be. */
export function Difference({ domain, patch }: DifferenceProps) {
	const rows = (Object.keys(limitFields) as LimitName[]).flatMap((name) => {
		const value = patch.limits?.[name];
		return value === undefined
			? []
			: [{ label: limitFields[name].label, before: shown(name, domain.limits[name]), after: shown(name, value) }];
	});
	if (patch.slug !== undefined) rows.unshift({ label: "Slug", before: domain.slug, after: patch.slug });
	return (
		<ul className={styles.difference} aria-label="What will change">
			{rows.map(({ label, before, after }) => (
				<li key={label}>
					{label}: <del>{before}</del> <span aria-hidden>→</span> <ins>{after}</ins>
				</li>
			))}
		</ul>
	);
}
