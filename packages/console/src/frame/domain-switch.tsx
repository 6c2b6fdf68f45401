import { useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { useSession } from "../api/session.tsx";
import menu from "../components/menu.module.css";
import { Skeleton } from "../components/skeleton.tsx";
import { loadPart } from "../loading/load-part.ts";
import styles from "./domain-switch.module.css";
import { useCurrentDomain } from "./use-current-domain.ts";

/** The domain whose views are shown, and the way to another one. Above eight domains the list can be searched. */
export function DomainSwitch({ isWide }: { isWide: boolean }) {
	const { domains } = useSession();
	const current = useCurrentDomain();
	const navigate = useNavigate();
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
				{domains.length <= 8 ? list : <Searched>{list}</Searched>}
			</Popover>
		</MenuTrigger>
	);
}

/** A list under a field that narrows it, as soon as the field's code is here. Without it, the list alone. */
function Searched({ children }: { children: ReactNode }) {
	const [Field, setField] = useState<ComponentType<{ children: ReactNode }> | "missing" | null>(null);
	useEffect(() => {
		void loadPart(() => import("./domain-search.tsx")).then(
			(part) => setField(() => part.DomainSearch),
			() => setField("missing"),
		);
	}, []);
	if (Field === null) return <Skeleton lines={3} />;
	return Field === "missing" ? children : <Field>{children}</Field>;
}
