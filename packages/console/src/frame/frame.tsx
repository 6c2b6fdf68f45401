import { useLocation } from "@tanstack/react-router";
import { Menu, Search } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Button } from "../components/button.tsx";
import { useRefusedDrops } from "../components/file-drop.ts";
import { AccountMenu } from "./account-menu.tsx";
import styles from "./frame.module.css";
import { Health } from "./health.tsx";
import { LazyPalette } from "./lazy-palette.tsx";
import { Lost } from "./lost.tsx";
import { paletteWords } from "./palette-words.ts";
import { SideBar } from "./side-bar.tsx";

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** What stands around every view: side bar, search, health, and what says that the server is gone. */
export function Frame({ children }: { children: ReactNode }) {
	const [isDrawerOpen, setDrawerOpen] = useState(false);
	const [isSearching, setSearching] = useState(false);
	const endSearch = useCallback(() => setSearching(false), []);
	const { pathname } = useLocation();
	useRefusedDrops();
	// biome-ignore lint/correctness/useExhaustiveDependencies: The drawer closes when another view opens.
	useEffect(() => setDrawerOpen(false), [pathname]);
	useEffect(() => {
		const open = (event: KeyboardEvent) => {
			if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
				return;
			event.preventDefault();
			// What goes elsewhere from there would take what such a dialog asks or shows with it.
			if (document.querySelector("[role=alertdialog]") === null) setSearching(true);
		};
		window.addEventListener("keydown", open);
		return () => window.removeEventListener("keydown", open);
	}, []);
	return (
		<div className={styles.frame}>
			<a href="#main" className={styles.skip}>
				Skip to the content
			</a>
			<div className={styles.side}>
				<SideBar />
			</div>
			<div className={styles.main}>
				<header className={styles.top}>
					<span className={styles.menuButton}>
						<Button kind="quiet" square aria-label="Open the menu" onPress={() => setDrawerOpen(true)}>
							<Menu size={18} aria-hidden />
						</Button>
					</span>
					<button
						type="button"
						className={styles.search}
						aria-keyshortcuts="Control+K Meta+K"
						onClick={() => setSearching(true)}
					>
						<Search size={14} aria-hidden />
						{paletteWords.name}
						<kbd>{isMac ? "⌘K" : "Ctrl K"}</kbd>
					</button>
					<span className={styles.push} />
					<Health />
					<AccountMenu />
				</header>
				<Lost />
				<main id="main" tabIndex={-1} className={styles.main}>
					{children}
				</main>
			</div>
			<ModalOverlay
				className={styles.drawerVeil ?? ""}
				isOpen={isDrawerOpen}
				onOpenChange={setDrawerOpen}
				isDismissable
			>
				<Modal className={styles.drawer ?? ""}>
					<Dialog aria-label="Menu">
						<SideBar isWide />
					</Dialog>
				</Modal>
			</ModalOverlay>
			{isSearching && <LazyPalette onClose={endSearch} />}
		</div>
	);
}
