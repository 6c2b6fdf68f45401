import {
	createElement,
	type HTMLAttributes,
	type ReactElement,
	type Ref,
	useCallback,
	useEffect,
	useLayoutEffect,
	useRef,
	version,
} from "react";

/** On a server there is no layout, and React warns of the effect. */
const useEarlyEffect = typeof window === "undefined" ? useEffect : useLayoutEffect;

/** React 18 writes booleans into the attributes of a custom element as words. Later ones set properties, too. */
const takesBooleans = !version.startsWith("18.");

/**
 * The properties of a component: its own, and all that React knows of any element. Elements for the slots are children:
 * `<p slot="hint">…</p>`.
 */
export type ElementProps<Element, Own> = Omit<HTMLAttributes<Element>, keyof Own> & {
	[Name in keyof Own]?: Own[Name] | undefined;
};

type Values = Readonly<Record<string, unknown>>;
type Listener = ((event: CustomEvent) => void) | undefined;
type ElementParts = { attributes: Values; properties: Values; listeners: Readonly<Record<string, Listener>> };

/**
 * Renders an element of `@reelmill/elements`: attributes on the server and in the page alike, properties and listeners
 * in the page. React 18 has neither of the latter for such an element. `others` is for React: styles, its own events,
 * and whatever attributes there are.
 */
export function useElement<Element extends HTMLElement>(
	name: string,
	ref: Ref<Element>,
	{ className, ...others }: Values,
	{ attributes, properties, listeners }: ElementParts,
): ReactElement {
	const own = useRef<Element | null>(null);
	const latest = useRef(listeners);
	const given = useRef<Values>({});
	useEarlyEffect(() => {
		latest.current = listeners;
		const element = own.current as Record<string, unknown> | null;
		// One that is given no more is emptied. One that never was is left to whoever has the element.
		for (const [property, value] of Object.entries(properties))
			if (element && element[property] !== value && (value ?? given.current[property] ?? null) !== null)
				element[property] = value ?? null;
		given.current = properties;
	});
	const types = Object.keys(listeners).join();
	useEarlyEffect(() => {
		const element = own.current;
		const ended = new AbortController();
		for (const type of types.split(","))
			element?.addEventListener(type, (event) => latest.current[type]?.(event as CustomEvent), ended);
		return () => ended.abort();
	}, [types]);
	const cleanUp = useRef<(() => void) | undefined>(undefined);
	const set = useCallback(
		(element: Element | null) => {
			own.current = element;
			if (typeof ref !== "function") {
				if (ref) ref.current = element;
			} else if (element === null && cleanUp.current) cleanUp.current();
			else cleanUp.current = ref(element) ?? undefined;
		},
		[ref],
	);
	const shown = Object.entries({ ...attributes, class: className, ...others }).flatMap(([key, value]) =>
		value === undefined || value === null ? [] : [[key, attributeOf(key, value)]],
	);
	return createElement(name, { ref: set, ...Object.fromEntries(shown) });
}

function attributeOf(name: string, value: unknown): unknown {
	if (typeof value !== "boolean") return value;
	if (/^(?:aria|data)-/.test(name)) return `${value}`;
	return takesBooleans ? value : value ? "" : undefined;
}
