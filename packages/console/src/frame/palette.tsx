import { useNavigate } from "@tanstack/react-router";
import { ArrowRight, Film, Search as SearchIcon } from "lucide-react";
import { useState } from "react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem } from "react-aria-components/Menu";
import { TextField } from "react-aria-components/TextField";
import { ApiProvider } from "../api/api.tsx";
import menu from "../components/menu.module.css";
import styles from "./lazy-palette.module.css";
import { usePaletteEntries } from "./palette-entries.ts";
import { paletteWords } from "./palette-words.ts";
import { useCurrentDomain } from "./use-current-domain.ts";

export type PaletteProps = {
	/** What was typed before it was there. */
	text: string;
	onClose: () => void;
};

/** Goes anywhere by a few letters: a view, a domain, an action, or a video by its name or id. */
export function Palette(props: PaletteProps) {
	const domain = useCurrentDomain();
	return (
		<ApiProvider domainId={domain?.id ?? null}>
			<Search {...props} />
		</ApiProvider>
	);
}

function Search({ text: typed, onClose }: PaletteProps) {
	const [text, setText] = useState(typed);
	const { contains } = useFilter({ sensitivity: "base" });
	const navigate = useNavigate();
	const entries = usePaletteEntries(text.trim());
	const run = (id: string) => {
		const entry = entries.find((each) => each.id === id);
		onClose();
		if (entry) void navigate(entry.target as never);
	};
	return (
		<Autocomplete
			inputValue={text}
			onInputChange={setText}
			filter={(words, typed) =>
				typed
					.trim()
					.split(/\s+/)
					.every((word) => contains(words, word))
			}
		>
			<TextField type="search" aria-label={paletteWords.name} autoFocus className={styles.field ?? ""}>
				<SearchIcon size={16} aria-hidden />
				<Input placeholder={paletteWords.placeholder} />
			</TextField>
			<Menu
				className={menu.menu ?? ""}
				aria-label="Results"
				items={entries}
				dependencies={[entries]}
				onAction={(id) => run(String(id))}
				renderEmptyState={() => <div className={menu.none}>Nothing of this name.</div>}
			>
				{(entry) => (
					<MenuItem id={entry.id} textValue={entry.words} className={menu.item ?? ""}>
						{entry.id.startsWith("video") ? <Film size={16} aria-hidden /> : <ArrowRight size={16} aria-hidden />}
						<span>{entry.name}</span>
						<span className="muted small">{entry.part}</span>
					</MenuItem>
				)}
			</Menu>
		</Autocomplete>
	);
}
