import { useNavigate } from "@tanstack/react-router";
import { Check, CircleUser } from "lucide-react";
import { Header } from "react-aria-components/Header";
import { Menu, MenuItem, MenuSection, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { useSession, useSignOut } from "../api/session.tsx";
import { Button } from "../components/button.tsx";
import menu from "../components/menu.module.css";
import styles from "./account-menu.module.css";
import { setTheme, type Theme, themes, useTheme } from "./theme.ts";

const names: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

/** Who is signed in, light or dark, and the way out. */
export function AccountMenu() {
	const { account } = useSession();
	const theme = useTheme();
	const signOut = useSignOut();
	const navigate = useNavigate();
	return (
		<MenuTrigger>
			<Button kind="quiet" square aria-label="Account and appearance">
				<CircleUser size={18} aria-hidden />
			</Button>
			<Popover className={menu.popover ?? ""} placement="bottom end">
				<div className={styles.who}>
					<span>{account.email ?? "Operator"}</span>
					<span className="muted small">{account.role === "admin" ? "Admin of this installation" : "Member"}</span>
				</div>
				<Menu
					className={menu.menu ?? ""}
					aria-label="Account and appearance"
					onAction={(key) => {
						if (key === "sign-out") void signOut().then(() => navigate({ to: "/sign-in", search: {} }));
						else setTheme(key as Theme);
					}}
				>
					<MenuSection>
						<Header className={styles.header ?? ""}>Appearance</Header>
						{themes.map((each) => (
							<MenuItem key={each} id={each} textValue={names[each]} className={menu.item ?? ""}>
								<span>{names[each]}</span>
								{each === theme && <Check size={14} aria-label="chosen" />}
							</MenuItem>
						))}
					</MenuSection>
					<MenuItem id="sign-out" className={`${menu.item} ${styles.out}`}>
						Sign out
					</MenuItem>
				</Menu>
			</Popover>
		</MenuTrigger>
	);
}
