import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { useIsAdmin } from "../api/session.tsx";
import icon from "../icon.svg";
import { DomainSwitch } from "./domain-switch.tsx";
import { domainViews, operatorViews } from "./navigation.ts";
import styles from "./side-bar.module.css";
import { useCurrentDomain } from "./use-current-domain.ts";

/** The way to every view. It shrinks to icons on a narrow page, unless `isWide` says that it has the room. */
export function SideBar({ isWide = false }: { isWide?: boolean }) {
	const domain = useCurrentDomain();
	const isAdmin = useIsAdmin();
	return (
		<nav aria-label="Views" className={styles.bar} data-wide={isWide || undefined}>
			<Link to="/" className={styles.brand} title="Reelmill">
				<img src={icon} alt="" width={20} height={20} />
				<span className={styles.word}>Reelmill</span>
			</Link>
			<DomainSwitch isWide={isWide} />
			{domain && (
				<ul className={styles.list}>
					{domainViews.map(({ name, to, icon: Icon }) => (
						<li key={to}>
							<Link
								to={to}
								params={{ domain: domain.slug }}
								activeOptions={{ exact: to === "/d/$domain", includeSearch: false }}
								className={styles.link}
								title={name}
							>
								<Word icon={Icon} name={name} />
							</Link>
						</li>
					))}
				</ul>
			)}
			{isAdmin && (
				<>
					<h2 className={styles.part}>Operator</h2>
					<ul className={styles.list}>
						{operatorViews.map(({ name, to, icon: Icon }) => (
							<li key={to}>
								<Link to={to} activeOptions={{ includeSearch: false }} className={styles.link} title={name}>
									<Word icon={Icon} name={name} />
								</Link>
							</li>
						))}
					</ul>
				</>
			)}
		</nav>
	);
}

const Word = ({ icon: Icon, name }: { icon: LucideIcon; name: string }) => (
	<>
		<Icon size={16} aria-hidden />
		<span className={styles.word}>{name}</span>
	</>
);
