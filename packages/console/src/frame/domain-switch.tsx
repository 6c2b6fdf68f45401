import { useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown } from "lucide-react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Button } from "react-aria-components/Button";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { SearchField } from "react-aria-components/SearchField";
import { useSession } from "../api/session.tsx";
import menu from "../components/menu.module.css";
import styles from "./domain-switch.module.css";
import { useCurrentDomain } from "./use-current-domain.ts";

/** The domain whose views are shown, and the way to another one. Above eight domains the list can be searched. */
export function DomainSwitch({ isWide }: { isWide: boolean }) {
	const { domains } = useSession();
	const current = useCurrentDomain();
	const navigate = useNavigate();
	const { contains } = useFilter({ sensitivity: "base" });
	if (current === undefined) return null;
	const list = (
		<Menu
			className={menu.menu ?? ""}
			items={domains}
			aria-label="Domains"
			onAction={(key) => void navigate({ to: "/d/$domain", params: { domain: String(key) } })}
			renderEmptyState={() => <div className={menu.none}>No domain of this name.</div>}
		>
			{({ slug }) => (
				<MenuItem id={slug} textValue={slug} className={menu.item ?? ""}>
					<span>{slug}</span>
					{slug === current.slug && <Check size={14} aria-label="current" />}
				</MenuItem>
			)}
		</Menu>
	);
	return (
		<MenuTrigger>
			<Button
				className={styles.button ?? ""}
				data-wide={isWide || undefined}
				aria-label={`Domain ${current.slug}: switch`}
			>
				<span className={styles.initial} aria-hidden>
					{current.slug.slice(0, 1).toUpperCase()}
				</span>
				<span className={styles.slug}>{current.slug}</span>
				<ChevronsUpDown size={14} aria-hidden />
			</Button>
			<Popover className={menu.popover ?? ""} placement="bottom start">
				{domains.length <= 8 ? (
					list
				) : (
					<Autocomplete filter={contains}>
						<SearchField aria-label="Find a domain" autoFocus className={menu.search ?? ""}>
							<Input placeholder="Find a domain" />
						</SearchField>
						{list}
					</Autocomplete>
				)}
			</Popover>
		</MenuTrigger>
	);
}
