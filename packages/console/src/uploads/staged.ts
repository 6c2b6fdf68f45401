import { onAccount } from "../api/account.ts";
import { useApi } from "../api/api.tsx";
import { useSession } from "../api/session.tsx";
import { createStore } from "../api/store.ts";
import { beginWork } from "../unfinished/unfinished.ts";
import type { Wishes } from "./uploads.ts";

/** A file that was chosen and is not sent yet, with the name that its video gets. */
export type Staged = {
	readonly key: string;
	readonly domainId: string | null;
	/** The account that chose it. */
	readonly owner: string;
	readonly file: File;
	readonly name: string;
};

/** The longest name that the service takes. */
const mostCharacters = 255;
type All = {
	readonly staged: readonly Staged[];
	/** What the chosen files of an account and a domain are all given, for as long as there are some. */
	readonly wishes: ReadonlyMap<string, Wishes>;
};

const store = createStore<All>({ staged: [], wishes: new Map() });
const ownerKey = ({ owner, domainId }: Pick<Staged, "owner" | "domainId">): string => `${owner} ${domainId}`;
let end: (() => void) | null = null;

function set(staged: readonly Staged[]): void {
	const owners = new Set(staged.map(ownerKey));
	if (staged.length > 0) end ??= beginWork();
	else {
		end?.();
		end = null;
	}
	store.set({ staged, wishes: new Map([...store.get().wishes].filter(([key]) => owners.has(key))) });
}

onAccount((accountId) => set(store.get().staged.filter(({ owner }) => owner === accountId)));

/** Takes files of these keys away, and returns those that were still there, with their names of now. */
function unstage(keys: readonly string[]): readonly Staged[] {
	const { staged } = store.get();
	const taken = staged.filter(({ key }) => keys.includes(key));
	set(staged.filter((each) => !taken.includes(each)));
	return taken;
}

/**
 * The files that this account chose for this domain, on whichever view, what they are all given, and what is done with
 * them before they are sent.
 */
export function useStaged() {
	const { domainId } = useApi();
	const owner = useSession().account.id;
	const { staged: all, wishes: given } = store.use();
	const of = ownerKey({ owner, domainId });
	return {
		staged: all.filter((each) => each.domainId === domainId && each.owner === owner),
		stage: (files: readonly File[]) =>
			set([
				...store.get().staged,
				...files.map((file) => ({
					key: crypto.randomUUID(),
					domainId,
					owner,
					file,
					name: file.name.slice(0, mostCharacters),
				})),
			]),
		rename: (key: string, name: string) =>
			set(
				store.get().staged.map((each) => (each.key === key ? { ...each, name: name.slice(0, mostCharacters) } : each)),
			),
		unstage,
		wishes: given.get(of) ?? {},
		wish: (next: Wishes) => {
			const { staged, wishes } = store.get();
			store.set({ staged, wishes: new Map(wishes).set(of, next) });
		},
	};
}
