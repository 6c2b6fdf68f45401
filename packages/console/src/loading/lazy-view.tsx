import type { ErrorComponentProps } from "@tanstack/react-router";
import { type ComponentType, use } from "react";
import { Page } from "../components/page.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { loadPart } from "./load-part.ts";
import { ViewFailed } from "./view-failed.tsx";

type Around = { title: string; children: React.ReactNode };

/**
 * The options of a route whose view is loaded when it is opened. While it loads, and if it fails, its title stands in
 * the frame with the reason. `Around` is what stands around them then (default: a view's page).
 */
export function lazyView<Name extends string>(
	title: string,
	load: () => Promise<Readonly<Record<Name, ComponentType>>>,
	name: Name,
	Around: ComponentType<Around> = Page,
) {
	let view: ComponentType | undefined;
	let loading: Promise<ComponentType> | undefined;
	const begin = () => {
		loading ??= loadPart(load).then((part) => {
			view = part[name];
			return view;
		});
		return loading;
	};
	function View() {
		const Loaded = view ?? use(begin());
		return <Loaded />;
	}
	View.preload = async (): Promise<void> => {
		await begin().catch(() => undefined);
	};
	return {
		component: View,
		pendingComponent: () => (
			<Around title={title}>
				<Skeleton />
			</Around>
		),
		errorComponent: ({ error, reset }: ErrorComponentProps) => (
			<Around title={title}>
				<ViewFailed
					error={error}
					onRetry={() => {
						loading = undefined;
						reset();
					}}
				/>
			</Around>
		),
	};
}
