import type { CallableName, CallInput, CallResult } from "@reelmill/client";
import {
	keepPreviousData,
	type UseInfiniteQueryResult,
	type UseMutationResult,
	type UseQueryResult,
	useInfiniteQuery,
	useMutation,
	useQuery,
	useQueryClient,
} from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import { type Caller, createCaller } from "./client.ts";

type Api = { readonly call: Caller; readonly domainId: string | null };

const ApiContext = createContext<Api | null>(null);

/** Gives all inside it the calls of one domain; of the operator if `domainId` is null. */
export function ApiProvider({ domainId, children }: { domainId: string | null; children: ReactNode }) {
	const api = useMemo(() => ({ call: createCaller(domainId), domainId }), [domainId]);
	return <ApiContext value={api}>{children}</ApiContext>;
}

/** The calls themselves, for what is no query and no button, such as an upload. */
export function useApi(): Api {
	const api = useContext(ApiContext);
	if (api === null) throw new Error("useApi needs an ApiProvider around it.");
	return api;
}

const keyOf = (domainId: string | null, name: CallableName, input: unknown) => [domainId, name, input] as const;

export type CallOptions<Data = never> = {
	/** Reads again after as many milliseconds, or as what was read says, while the page is seen (default: never). */
	every?: number | ((data: Data | undefined) => number | undefined) | undefined;
	/** Whether to read at all (default: true). */
	enabled?: boolean;
	/** Shows the answer of the input before while the new one is read, as when a filter changes (default: false). */
	keep?: boolean;
};

/** Reads by an operation: its data, kept and read again, or its error. */
export function useCall<K extends CallableName>(
	name: K,
	input: CallInput<K>,
	{ every, enabled = true, keep = false }: CallOptions<CallResult<K>> = {},
): UseQueryResult<CallResult<K>, Error> {
	const { call, domainId } = useApi();
	return useQuery({
		queryKey: keyOf(domainId, name, input),
		queryFn: ({ signal }) => call(name, input, { signal }),
		enabled,
		refetchInterval: ({ state }) => (typeof every === "function" ? every(state.data) : every) ?? false,
		...(keep ? { placeholderData: keepPreviousData as never } : {}),
	}) as UseQueryResult<CallResult<K>, Error>;
}

type Page = { readonly data: readonly unknown[]; readonly next_cursor: string | null };
type PagedName = { [K in CallableName]: CallResult<K> extends Page ? K : never }[CallableName];
type ItemOf<K extends PagedName> = Extract<CallResult<K>, Page>["data"][number];

export type PagesOptions = Omit<CallOptions, "every"> & {
	/** As of a call, or by how many pages were read: each is a request. */
	every?: number | ((pages: number) => number | undefined) | undefined;
};
type Reading = { readonly state: { readonly data: { readonly pages: readonly unknown[] } | undefined } };
const intervalOf = (every: NonNullable<PagesOptions["every"]>, pages: number): number | false =>
	(typeof every === "number" ? every : every(pages)) ?? false;

/**
 * Reads page after page by an operation that has a cursor: `items` are those of all pages that were read, and
 * `fetchNextPage` reads one more.
 */
export function usePages<K extends PagedName>(
	name: K,
	input: CallInput<K>,
	{ every, enabled = true, keep = false }: PagesOptions = {},
): UseInfiniteQueryResult<unknown, Error> & { readonly items: ItemOf<K>[] } {
	const { call, domainId } = useApi();
	const query = useInfiniteQuery({
		queryKey: keyOf(domainId, name, input),
		queryFn: ({ pageParam, signal }) => {
			const { query: asked, ...rest } = input as { query?: object };
			const page = { ...rest, query: { ...asked, ...(pageParam === null ? {} : { cursor: pageParam }) } };
			return call(name, page as CallInput<K>, { signal }) as Promise<Page>;
		},
		initialPageParam: null as string | null,
		getNextPageParam: (last: Page) => last.next_cursor,
		enabled,
		...(every === undefined
			? {}
			: { refetchInterval: ({ state }: Reading) => intervalOf(every, state.data?.pages.length ?? 0) }),
		...(keep ? { placeholderData: keepPreviousData as never } : {}),
	});
	const items = useMemo(() => query.data?.pages.flatMap((page) => page.data) ?? [], [query.data]);
	return { ...query, items } as never;
}

/**
 * Changes something by an operation. `mutate(input)` sends it; `error` stays until the next try. Afterwards everything
 * that `changes` names is read again; all that the domain's pages show if it is left out. `onClose` is for the dialog that
 * asked: it isn't called if that is unmounted by then, because another one may be open in its place.
 */
export function useAction<K extends CallableName>(
	name: K,
	{
		changes,
		onSuccess,
		onClose,
	}: {
		changes?: readonly CallableName[];
		onSuccess?: (result: CallResult<K>) => void;
		onClose?: () => void;
	} = {},
): UseMutationResult<CallResult<K>, Error, CallInput<K>> {
	const { call } = useApi();
	const invalidate = useInvalidate();
	const isHere = useRef(false);
	useEffect(() => {
		isHere.current = true;
		return () => {
			isHere.current = false;
		};
	}, []);
	return useMutation({
		mutationFn: (input: CallInput<K>) => call(name, input),
		onSuccess: async (result) => {
			onSuccess?.(result);
			if (isHere.current) onClose?.();
			await invalidate(changes);
		},
	});
}

/** Has what the operations of these names answered read again; all of it if no name is given. */
export function useInvalidate(): (names?: readonly CallableName[]) => Promise<void> {
	const queryClient = useQueryClient();
	return (names) =>
		queryClient.invalidateQueries({
			predicate: ({ queryKey }) => names === undefined || names.includes(queryKey[1] as CallableName),
		});
}
