import type { ReactNode } from "react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Input } from "react-aria-components/Input";
import { SearchField } from "react-aria-components/SearchField";
import menu from "../components/menu.module.css";

/** A field that narrows the list of domains below it. */
export function DomainSearch({ children }: { children: ReactNode }) {
	const { contains } = useFilter({ sensitivity: "base" });
	return (
		<Autocomplete filter={contains}>
			<SearchField aria-label="Find a domain" autoFocus className={menu.search ?? ""}>
				<Input placeholder="Find a domain" />
			</SearchField>
			{children}
		</Autocomplete>
	);
}
