import {
	createElement,
	type ReactElement,
	type ReactNode,
	type Ref,
	useCallback,
	useEffect,
	useLayoutEffect,
	useRef,
} from "react";

/** On a server there is no layout, and React warns of the effect. */
const useEarlyEffect = typeof window === "undefined" ? useEffect : useLayoutEffect;

/** What every component of this package takes, besides what its element does. */
export type CommonProps = {
	id?: string;
	className?: string;
	lang?: string;
	dir?: "ltr" | "rtl" | "auto";
	/** Elements for the slots of the element: `<p slot="hint">…</p>`. */
	children?: ReactNode;
};

type Listener = ((event: CustomEvent) => void) | undefined;
type ElementParts = {
	attributes: Readonly<Record<string, string | number | boolean | null | undefined>>;
	properties: Readonly<Record<string, unknown>>;
	listeners: Readonly<Record<string, Listener>>;
};

/**
 * Renders an element of `@reelmill/elements`: attributes on the server and in the page alike, properties and listeners
 * in the page. React 18 has neither of the latter for such an element.
 */
export function useElement<Element extends HTMLElement>(
	name: string,
	ref: Ref<Element>,
	{ id, className, lang, dir, children }: CommonProps,
	{ attributes, properties, listeners }: ElementParts,
): ReactElement {
	const own = useRef<Element | null>(null);
	const latest = useRef(listeners);
	useEarlyEffect(() => {
		latest.current = listeners;
		const element = own.current as Record<string, unknown> | null;
		for (const [property, value] of Object.entries(properties))
			if (element && value !== undefined && element[property] !== value) element[property] = value;
	});
	const types = Object.keys(listeners).join();
	useEarlyEffect(() => {
		const element = own.current;
		const ended = new AbortController();
		for (const type of types.split(","))
			element?.addEventListener(type, (event) => latest.current[type]?.(event as CustomEvent), ended);
		return () => ended.abort();
	}, [types]);
	const set = useCallback(
		(element: Element | null) => {
			own.current = element;
			if (typeof ref === "function") ref(element);
			else if (ref) (ref as { current: Element | null }).current = element;
		},
		[ref],
	);
	const all: ElementParts["attributes"] = { id, class: className, lang, dir, ...attributes };
	const shown = Object.entries(all).flatMap(([key, value]) =>
		value === undefined || value === null || value === false ? [] : [[key, value === true ? "" : `${value}`]],
	);
	return createElement(name, { ref: set, ...Object.fromEntries(shown) }, children);
}
